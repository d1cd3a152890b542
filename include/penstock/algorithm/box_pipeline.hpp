// copy_box through a declared pipeline of tiles: TMA on sm_90, cp.async on sm_80. Asked for by a policy; plain words, which
// copy_box uses by itself, are at least as fast where a box is only moved (docs/benchmarks.md).
#pragma once

#include <penstock/algorithm/box.hpp>
#include <penstock/run/launch.hpp>
#include <penstock/run/run.hpp>
#include <penstock/run/tensor_map.hpp>

namespace penstock {

// Blocks that each move `tiles` tiles of Rows rows of RowBytes bytes through a ring of Depth slots.
template <int Rows = 16, int RowBytes = 512, int Depth = 4>
struct pipelined_tiles {
  static_assert(RowBytes >= 16 && RowBytes % 16 == 0 && RowBytes <= 1024, "a tile's rows are multiples of 16 bytes up to 1024");
  static_assert(Rows >= 1 && Rows <= 256, "a tile has 1 to 256 rows");
  static_assert(Depth >= 2, "a pipeline of depth 1 overlaps nothing");
  int tiles = 8;
};

namespace detail {

template <class Slot, int Depth>
using tile_line = pipeline<buffer<"tile", Slot, depth<Depth>>, stage<"read", async, writes<"tile">>,
                           stage<"write", async, reads<"tile">>>;

struct tile_grid {
  divider columns, rows;  // tiles along the last and the second axis
  unsigned tiles;         // in all
  int each;               // of a block
};

template <class Slot, int Depth>
__global__ void box_tiles_kernel(const __grid_constant__ tiled<Slot, 3> target, const __grid_constant__ tiled<Slot, 3> source,
                                 const tile_grid grid) {
  constexpr int rows = tiled<Slot, 3>::box(1), columns = tiled<Slot, 3>::box(2);
  const unsigned first = blockIdx.x * static_cast<unsigned>(grid.each);
  const unsigned left = grid.tiles - first;
  const auto place = [&](const tiled<Slot, 3>& array, long long i) {
    unsigned k = first + static_cast<unsigned>(i);
    const long long x = static_cast<long long>(grid.columns.take(k)) * columns;
    const long long y = static_cast<long long>(grid.rows.take(k)) * rows;
    return from(array, static_cast<long long>(k), y, x);
  };
  run<tile_line<Slot, Depth>>(left < static_cast<unsigned>(grid.each) ? left : static_cast<unsigned>(grid.each),
                              on<"read">([&](long long i) { return place(source, i); }),
                              on<"write">([&](long long i) { return place(target, i); }));
}

// False where tiles of this word do not fit the box.
template <class Word, int Rows, int RowBytes, int Depth>
bool start_box_tiles(cudaStream_t stream, const strided_copy& c, int each) {
  constexpr long long size = sizeof(Word);
  using slot = Word[Rows][RowBytes / sizeof(Word)];
  long long extent[3] = {1, 1, 1}, to_stride[3] = {}, from_stride[3] = {};
  for (int k = 0; k < c.axes; ++k) {
    const int a = 2 - k, of = c.axes - 1 - k;
    extent[a] = k == 0 ? c.extent[of] * c.element / size : c.extent[of];
    to_stride[a] = k == 0 ? 1 : c.to_stride[of] / size;
    from_stride[a] = k == 0 ? 1 : c.from_stride[of] / size;
  }
  for (int a = 1; a >= 0; --a)  // an axis that is not there steps past the ones that are
    if (to_stride[a] == 0) {
      to_stride[a] = ceil_div(to_stride[a + 1] * extent[a + 1], 16) * 16;
      from_stride[a] = ceil_div(from_stride[a + 1] * extent[a + 1], 16) * 16;
    }
  const long long columns = ceil_div(extent[2], RowBytes / size), rows = ceil_div(extent[1], Rows);
  if (rows > most_items / columns / extent[0]) return false;
  const auto target = make_tiled<slot, 3>(reinterpret_cast<Word*>(c.to), extent, to_stride);
  const auto source = make_tiled<slot, 3>(reinterpret_cast<Word*>(const_cast<unsigned char*>(c.from)), extent, from_stride);
  if (!tensor_map_obstacle(target).empty() || !tensor_map_obstacle(source).empty()) return false;
  const tile_grid grid{divider(columns), divider(rows), static_cast<unsigned>(columns * rows * extent[0]), each};
  penstock::launch<tile_line<slot, Depth>>(stream, dim3(grid_for(grid.tiles, each, "the copy of a box")),
                                           box_tiles_kernel<slot, Depth>, target, source, grid);
  return true;
}

}  // namespace detail

// As copy_box that clips, by tiles. Boxes that no tensor map describes (more than three axes after merging, rows that are
// not multiples of 4 bytes, addresses or strides that are not multiples of 16, repeated or permuted axes) go the plain way.
template <class T, int Rank, int Rows, int RowBytes, int Depth>
void copy_box(cudaStream_t stream, const strided<T, Rank>& dst, const long long (&dst_at)[Rank],
              const std::type_identity_t<strided<const T, Rank>>& src, const long long (&src_at)[Rank],
              const long long (&extent)[Rank], pipelined_tiles<Rows, RowBytes, Depth> policy) {
  detail::check_policy(pipelined<128, 2>{policy.tiles});
  detail::check_box_arrays<T, Rank>(dst, src);
  const auto regions = detail::split_box<T, Rank>(dst, dst_at, src, src_at, extent);
  if (regions.both.empty()) return;
  const detail::strided_copy c = detail::admit_region<T, Rank>(dst, dst_at, src, src_at, regions.both);
  detail::check_apart(c);
  detail::strided_copy outer = c;
  const long long row = detail::take_row(outer);
  bool descends = row > c.element && c.axes <= 3;
  for (int a = 0; a + 1 < c.axes; ++a) descends = descends && c.from_stride[a] >= c.extent[a + 1] * c.from_stride[a + 1];
  if (descends && row % 8 == 0 && detail::start_box_tiles<unsigned long long, Rows, RowBytes, Depth>(stream, c, policy.tiles)) return;
  if (descends && row % 8 == 4 && detail::start_box_tiles<unsigned, Rows, RowBytes, Depth>(stream, c, policy.tiles)) return;
  detail::move_strided(stream, c);
}

}  // namespace penstock
