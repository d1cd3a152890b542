// Strided boxes, transpositions and halos: penstock against cudaMemcpy2DAsync, cudaMemcpy3DAsync and its own copy.
#include "support/memory.hpp"
#include "support/report.hpp"

#include <penstock/algorithm/box.hpp>
#include <penstock/algorithm/copy.hpp>
#include <penstock/algorithm/halo.hpp>
#include <penstock/algorithm/permute.hpp>

#include <tuple>

namespace {

using bench::contender;

// A box of `planes` × `rows` rows of `row` bytes in arrays of the given pitches.
struct box_case {
  std::string name;
  long long planes, rows, row;
  long long to_pitch, from_pitch;    // bytes from row to row
  long long to_height, from_height;  // rows from plane to plane
  int to_at, from_at;                // offsets from alignment
};

__global__ void reference_rows(unsigned char* to, const unsigned char* from, long long planes, long long rows,
                               long long row, long long to_pitch, long long from_pitch, long long to_plane,
                               long long from_plane) {
  const long long all = planes * rows * row;
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < all;
       k += static_cast<long long>(gridDim.x) * blockDim.x) {
    const long long x = k % row, y = k / row % rows, z = k / row / rows;
    to[z * to_plane + y * to_pitch + x] = from[z * from_plane + y * from_pitch + x];
  }
}

void check(cudaError_t code) { bench::require(code, "a copy by the peer"); }

void run(bench::report& r, const bench::arena& m, const box_case& c, bool quick) {
  if (!r.wants(c.name)) return;
  const long long to_plane = c.to_pitch * c.to_height, from_plane = c.from_pitch * c.from_height;
  const long long to_bytes = bench::align_up(c.planes * to_plane + 64),
                  from_bytes = bench::align_up(c.planes * from_plane + 64);
  const long long set = to_bytes + from_bytes;
  if (!m.holds(set + to_bytes)) return;
  const auto to = [&](int k) { return m.data() + set * k + c.to_at; };
  const auto from = [&](int k) { return m.data() + set * k + to_bytes + c.from_at; };
  const long long payload = c.planes * c.rows * c.row;
  std::vector<contender> who{
      {"penstock",
       [&](cudaStream_t s, int k) {
         penstock::copy_box(
             s, penstock::strided<unsigned char, 3>(to(k), {c.planes, c.rows, c.row}, {to_plane, c.to_pitch, 1}),
             penstock::strided<const unsigned char, 3>(from(k), {c.planes, c.rows, c.row},
                                                       {from_plane, c.from_pitch, 1}));
       }},
      {"cudaMemcpy3DAsync", [&](cudaStream_t s, int k) {
         cudaMemcpy3DParms p{};
         p.srcPtr = make_cudaPitchedPtr(from(k), static_cast<std::size_t>(c.from_pitch),
                                        static_cast<std::size_t>(c.row), static_cast<std::size_t>(c.from_height));
         p.dstPtr = make_cudaPitchedPtr(to(k), static_cast<std::size_t>(c.to_pitch), static_cast<std::size_t>(c.row),
                                        static_cast<std::size_t>(c.to_height));
         p.extent = make_cudaExtent(static_cast<std::size_t>(c.row), static_cast<std::size_t>(c.rows),
                                    static_cast<std::size_t>(c.planes));
         p.kind = cudaMemcpyDeviceToDevice;
         check(cudaMemcpy3DAsync(&p, s));
       }}};
  if (c.planes == 1)
    who.push_back({"cudaMemcpy2DAsync", [&](cudaStream_t s, int k) {
                     check(cudaMemcpy2DAsync(to(k), static_cast<std::size_t>(c.to_pitch), from(k),
                                             static_cast<std::size_t>(c.from_pitch), static_cast<std::size_t>(c.row),
                                             static_cast<std::size_t>(c.rows), cudaMemcpyDeviceToDevice, s));
                   }});
  const std::size_t boxes = who.size();
  if (c.to_at == 0 && c.from_at == 0 && set >= 2 * payload)
    who.push_back({"penstock::copy of as many bytes", [&](cudaStream_t s, int k) {
                     penstock::copy(s, m.data() + set * k, m.data() + set * k + payload, payload);
                   }});
  const auto times = bench::time_all(nullptr, who, {.samples = quick ? 5 : 11, .sets = m.sets(set)});
  unsigned char* reference = m.data() + set + c.to_at;
  for (std::size_t k = 0; k < who.size(); ++k) {
    bool right = true;
    if (k < boxes) {
      bench::require(cudaMemset(m.data(), 0xa5, static_cast<std::size_t>(to_bytes)), "cannot clear");
      bench::require(cudaMemset(m.data() + set, 0xa5, static_cast<std::size_t>(to_bytes)), "cannot clear");
      reference_rows<<<2048, 256>>>(reference, from(0), c.planes, c.rows, c.row, c.to_pitch, c.from_pitch, to_plane,
                                    from_plane);
      who[k].go(nullptr, 0);
      right = m.equal(m.data(), m.data() + set, to_bytes);
    }
    r.add(c.name, who[k].name, static_cast<double>(c.row), "TB/s",
          bench::rate(times[k], 2.0 * static_cast<double>(payload)), right);
  }
}

template <class T>
__global__ void reference_turn(T* to, const T* from, long long rows, long long columns) {
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < rows * columns;
       k += static_cast<long long>(gridDim.x) * blockDim.x)
    to[k % columns * rows + k / columns] = from[k];
}

template <int Rows, int Columns>
struct tile_of {
  static constexpr int rows = Rows, columns = Columns;
};
// Tiles and bands to choose the usual ones from.
template <int Size>
constexpr auto tiles_to_try() {
  if constexpr (Size == 1) return std::tuple<tile_of<128, 128>, tile_of<256, 128>, tile_of<128, 256>>{};
  else if constexpr (Size == 2) return std::tuple<tile_of<64, 64>, tile_of<128, 64>, tile_of<64, 128>>{};
  else if constexpr (Size == 4) return std::tuple<tile_of<32, 32>, tile_of<64, 32>, tile_of<32, 64>, tile_of<64, 64>>{};
  else if constexpr (Size == 8) return std::tuple<tile_of<32, 16>, tile_of<16, 32>, tile_of<32, 32>, tile_of<64, 16>>{};
  else return std::tuple<tile_of<16, 16>, tile_of<32, 16>, tile_of<16, 32>, tile_of<32, 32>>{};
}

template <class T>
void turn(bench::report& r, const bench::arena& m, long long rows, long long columns, bool quick, bool tune) {
  const std::string name =
      "transpose, " + std::to_string(sizeof(T)) + " bytes, " + std::to_string(rows) + " x " + std::to_string(columns);
  const long long bytes = rows * columns * static_cast<long long>(sizeof(T)), field = bench::align_up(bytes),
                  set = 2 * field;
  if (!r.wants(name) || !m.holds(set + field)) return;
  const auto to = [&](int k) { return reinterpret_cast<T*>(m.data() + set * k); };
  const auto from = [&](int k) { return reinterpret_cast<const T*>(m.data() + set * k + field); };
  std::vector<contender> who{
      {"penstock", [&](cudaStream_t s, int k) { penstock::transpose(s, to(k), from(k), rows, columns); }},
      {"penstock::copy of as many bytes",
       [&](cudaStream_t s, int k) { penstock::copy(s, to(k), from(k), rows * columns); }}};
  if (tune)
    std::apply(
        [&]<class... Tile>(Tile...) {
          const auto add = [&]<class One>(One) {
            for (int band : {1, 4, 8, 16, 32, 1 << 20}) {
              char tile[64];
              std::snprintf(tile, sizeof tile, "tile %d x %d, band %d", One::rows, One::columns, band);
              who.push_back({tile, [&, band](cudaStream_t s, int k) {
                               penstock::detail::transposition t{};
                               t.to = reinterpret_cast<unsigned char*>(to(k));
                               t.from = reinterpret_cast<const unsigned char*>(from(k));
                               t.rows = rows;
                               t.columns = columns;
                               t.from_pitch = columns * static_cast<long long>(sizeof(T));
                               t.to_pitch = rows * static_cast<long long>(sizeof(T));
                               t.from_end = t.from + bytes;
                               penstock::detail::start_transposition<sizeof(T), One>(s, t, band);
                             }});
            }
          };
          (add(Tile{}), ...);
        },
        tiles_to_try<sizeof(T)>());
  const auto times = bench::time_all(nullptr, who, {.samples = quick ? 5 : 11, .sets = m.sets(set)});
  reference_turn<<<2048, 256>>>(reinterpret_cast<T*>(m.data() + set), from(0), rows, columns);
  for (std::size_t k = 0; k < who.size(); ++k) {
    bool right = true;
    if (k != 1) {
      bench::require(cudaMemset(to(0), 0xa5, static_cast<std::size_t>(field)), "cannot clear");
      who[k].go(nullptr, 0);
      right = m.equal(to(0), m.data() + set, bytes);
    }
    r.add(name, who[k].name, static_cast<double>(bytes), "TB/s",
          bench::rate(times[k], 2.0 * static_cast<double>(bytes)), right);
  }
}

// All 26 neighbours of n³ floats: ours in one launch, the peer in 26.
void halo(bench::report& r, const bench::arena& m, long long n, long long h, bool quick) {
  const std::string name = "halo of " + std::to_string(n) + " cubed f32, width " + std::to_string(h);
  const penstock::halo_shape shape{{n, n, n}, {h, h, h}};
  const penstock::halo_layout layout = penstock::halo_buffer<float>(shape);
  const long long wide = n + 2 * h, array = bench::align_up(wide * wide * wide * 4),
                  buffer = bench::align_up(layout.total * 4), set = array + buffer;
  if (!r.wants(name) || !m.holds(set + array)) return;
  const auto cells = [&](int k) { return reinterpret_cast<float*>(m.data() + set * k + buffer); };
  const auto room = [&](int k) { return reinterpret_cast<float*>(m.data() + set * k); };
  double payload = 0;
  for (long long c : layout.count) payload += 4.0 * static_cast<double>(c);
  const auto by_faces = [&](cudaStream_t s, int set_index, bool pack) {
    for (int k = 0; k < 27; ++k) {
      if (k == 13) continue;
      const int side[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
      std::size_t count[3], at[3];
      for (int a = 0; a < 3; ++a) {
        count[a] = static_cast<std::size_t>(side[a] == 0 ? n : h);
        at[a] = static_cast<std::size_t>(side[a] == 0 ? h : side[a] < 0 ? (pack ? h : 0) : (pack ? n : h + n));
      }
      cudaMemcpy3DParms p{};
      const auto whole = make_cudaPitchedPtr(cells(set_index), static_cast<std::size_t>(wide) * 4,
                                             static_cast<std::size_t>(wide) * 4, static_cast<std::size_t>(wide));
      const auto part = make_cudaPitchedPtr(room(set_index) + layout.offset[k], count[2] * 4, count[2] * 4, count[1]);
      const cudaPos place = make_cudaPos(at[2] * 4, at[1], at[0]);
      p.srcPtr = pack ? whole : part;
      p.dstPtr = pack ? part : whole;
      (pack ? p.srcPos : p.dstPos) = place;
      p.extent = make_cudaExtent(count[2] * 4, count[1], count[0]);
      p.kind = cudaMemcpyDeviceToDevice;
      check(cudaMemcpy3DAsync(&p, s));
    }
  };
  for (const bool pack : {true, false}) {
    const std::string what = name + (pack ? ", pack" : ", unpack");
    const std::vector<contender> who{{"penstock", [&](cudaStream_t s, int k) {
                                        if (pack) penstock::pack(s, room(k), cells(k), shape);
                                        else penstock::unpack(s, cells(k), room(k), shape);
                                      }},
                                     {"26 x cudaMemcpy3DAsync", [&](cudaStream_t s, int k) { by_faces(s, k, pack); }}};
    const auto times = bench::time_all(
        nullptr, who, {.samples = quick ? 5 : 11, .sets = std::min(8, m.sets(set)), .most_calls = 4, .host_us = 150});
    // ours and the peer's, from the same contents
    unsigned char* copy = m.data() + set;
    const long long bytes = pack ? buffer : array;
    void* target = pack ? static_cast<void*>(room(0)) : static_cast<void*>(cells(0));
    bench::require(cudaMemset(target, 0xa5, static_cast<std::size_t>(bytes)), "cannot clear");
    who[1].go(nullptr, 0);
    bench::require(cudaMemcpy(copy, target, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToDevice), "cannot copy");
    bench::require(cudaMemset(target, 0xa5, static_cast<std::size_t>(bytes)), "cannot clear");
    who[0].go(nullptr, 0);
    const bool right = m.equal(copy, target, bytes);
    for (std::size_t k = 0; k < who.size(); ++k) {
      char more[64];
      std::snprintf(more, sizeof more, "%.1f us", times[k].median);
      r.add(what, who[k].name, static_cast<double>(h), "TB/s", bench::rate(times[k], 2.0 * payload), right, more);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o =
      bench::parse(argc, argv, "Strided boxes, transpositions and halos. --tune turns by other tiles, too.");
  bench::report r(o);
  const bench::arena m(8ll << 30);
  const bool tune = o.tune;
  constexpr long long payload = 64 << 20;
  std::vector<long long> rows{16, 64, 256, 1024, 8192};
  if (!o.quick) rows = {4, 8, 16, 32, 64, 96, 128, 256, 512, 1024, 4096, 8192, 65536};
  for (long long row : rows) {
    const long long count = payload / row;
    run(r, m, {"box, 2-D rows at twice their pitch", 1, count, row, 2 * row, 2 * row, count, count, 0, 0}, o.quick);
    run(r, m, {"box, 2-D rows into dense rows", 1, count, row, row, 2 * row, count, count, 0, 0}, o.quick);
  }
  for (long long row :
       o.quick ? std::vector<long long>{60, 1000} : std::vector<long long>{20, 60, 100, 252, 500, 1000, 4004}) {
    const long long count = payload / row;
    run(r, m, {"box, odd pitch, multiples of 4", 1, count, row, row + 4, row + 12, count, count, 0, 0}, o.quick);
    run(r, m, {"box, odd pitch, bytes", 1, count, row, row + 1, row + 3, count, count, 1, 2}, o.quick);
  }
  run(r, m, {"box, 3-D, half of each axis of 512 f32", 256, 256, 1024, 2048, 2048, 512, 512, 0, 0}, o.quick);
  run(r, m, {"box, 3-D, one column", 512, 512, 4, 2048, 2048, 512, 512, 0, 0}, o.quick);
  run(r, m, {"box, 3-D, one plane of rows", 8192, 1, 2048, 2048, 2048, 4, 4, 0, 0}, o.quick);

  turn<float>(r, m, 8192, 8192, o.quick, tune);
  turn<double>(r, m, 8192, 8192, o.quick, tune);
  turn<unsigned short>(r, m, 16384, 8192, o.quick, tune);
  turn<unsigned char>(r, m, 16384, 16384, o.quick, tune);
  turn<uint4>(r, m, 4096, 4096, o.quick, tune);
  if (!o.quick) {
    turn<float>(r, m, 1024, 1024, false, false);
    turn<float>(r, m, 64, 1 << 20, false, false);
    turn<float>(r, m, 1 << 20, 64, false, false);
    turn<float>(r, m, 8190, 8194, false, false);
    turn<float>(r, m, 8191, 8193, false, false);
    turn<unsigned char>(r, m, 16383, 16385, false, false);
  }
  for (long long h : o.quick ? std::vector<long long>{1, 4} : std::vector<long long>{1, 2, 3, 4})
    halo(r, m, 512, h, o.quick);
  return r.failed() ? 1 : 0;
}
