// What benchmarks/profile.sh shows to ncu: the work of each row of docs/benchmarks.md that misses its target, ours and
// what it is compared with, once each, between cudaProfilerStart and cudaProfilerStop.
#include "overhead/by_hand.hpp"
#include "overhead/declared.hpp"
#include "support/memory.hpp"

#include <penstock/algorithm/box.hpp>
#include <penstock/algorithm/convert.hpp>
#include <penstock/algorithm/copy.hpp>
#include <penstock/algorithm/permute.hpp>
#include <penstock/algorithm/reduce.hpp>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/std/functional>
#include <cuda/std/tuple>
#include <cuda_profiler_api.h>


namespace {

struct work {
  std::string row, who;
  std::function<void()> go;
};

template <int Rows, int Columns>
struct tile {
  static constexpr int rows = Rows, columns = Columns;
};

class rows {
 public:
  explicit rows(const bench::arena& m) : to_(m.data()), from_(m.data() + m.bytes() / 2) {
    transpose<float, 32, 32>("4 bytes, 8192 x 8192", 8192, 8192);
    transpose<double, 32, 16>("8 bytes, 8192 x 8192", 8192, 8192);
    transpose<unsigned short, 64, 64>("2 bytes, 16384 x 8192", 16384, 8192);
    transpose<unsigned char, 128, 128>("1 byte, 16384 x 16384", 16384, 16384);
    box("2-D rows of 256 B at twice their pitch", 1, 256 << 10, 256, 512, 512);
    box("2-D rows of 1 KiB at twice their pitch", 1, 64 << 10, 1024, 2048, 2048);
    box("2-D rows of 8 KiB at twice their pitch", 1, 8 << 10, 8192, 16384, 16384);
    box("2-D rows of 1 KiB into dense rows", 1, 64 << 10, 1024, 1024, 2048);
    box("3-D, half of each axis of 512 f32", 256, 256, 1024, 2048, 2048);
    box("odd pitch, rows of 1000 B", 1, (64 << 20) / 1000, 1000, 1004, 1012);
    copy_of("64 MiB", 64 << 20);
    reduce<signed char, int>("i8 to i32, 2^28", 1ll << 28);
    reduce<float, float>("f32, 2^24", 1 << 24);
    reduce<double, double>("f64, 2^24", 1 << 24);
    convert("f64 to f32, 2^24", 1 << 24);
    loop<4>();
    loop<8>();
  }
  const std::vector<work>& all() const { return all_; }

 private:
  void add(const std::string& row, const std::string& who, std::function<void()> go) {
    all_.push_back({row, who, std::move(go)});
  }

  // By the usual tile, by the smaller one that docs/benchmarks.md speaks of, in bands of 4 KiB of rows, and a copy.
  template <class T, int TileRows, int TileColumns>
  void transpose(const std::string& what, long long rows, long long columns) {
    T* to = reinterpret_cast<T*>(to_);
    const T* from = reinterpret_cast<const T*>(from_);
    add("transpose, " + what, "penstock", [=] { penstock::transpose(nullptr, to, from, rows, columns); });
    constexpr long long size = sizeof(T);
    penstock::detail::transposition t{};
    t.to = to_;
    t.from = from_;
    t.rows = rows;
    t.columns = columns;
    t.from_pitch = columns * size;
    t.to_pitch = rows * size;
    t.from_end = from_ + rows * columns * size;
    constexpr int band = 4096 / (TileRows * static_cast<int>(size));
    add("transpose, " + what,
        "tile " + std::to_string(TileRows) + " x " + std::to_string(TileColumns) + ", band " + std::to_string(band),
        [=] { penstock::detail::start_transposition<sizeof(T), tile<TileRows, TileColumns>>(nullptr, t, band); });
    add("transpose, " + what, "penstock::copy", [=] { penstock::copy(nullptr, to, from, rows * columns); });
  }

  void box(const std::string& what, long long planes, long long rows, long long row, long long to_pitch,
           long long from_pitch) {
    const long long height = planes > 1 ? 2 * rows : rows;
    const penstock::strided<unsigned char, 3> to(to_, {planes, rows, row}, {to_pitch * height, to_pitch, 1});
    const penstock::strided<const unsigned char, 3> from(from_, {planes, rows, row},
                                                         {from_pitch * height, from_pitch, 1});
    add("box, " + what, "penstock", [=] { penstock::copy_box(nullptr, to, from); });
  }

  void copy_of(const std::string& what, long long bytes) {
    add("copy, " + what, "penstock", [=, this] { penstock::copy(nullptr, to_, from_, bytes); });
  }

  template <class T, class A>
  void reduce(const std::string& what, long long n) {
    const T* from = reinterpret_cast<const T*>(from_);
    A* result = reinterpret_cast<A*>(to_);
    const penstock::scratch room{to_ + 512, 64 << 20};
    add("reduce, " + what, "penstock",
        [=] { penstock::reduce(nullptr, result, from, n, A{0}, cuda::std::plus<>{}, room); });
    add("reduce, " + what, "cub::DeviceReduce", [=] {
      std::size_t bytes = static_cast<std::size_t>(room.bytes);
      bench::require(cub::DeviceReduce::Reduce(room.data, bytes, from, result, n, cuda::std::plus<>{}, A{0}),
                     "cub::DeviceReduce");
    });
  }

  void convert(const std::string& what, long long n) {
    float* to = reinterpret_cast<float*>(to_);
    const double* from = reinterpret_cast<const double*>(from_);
    add("convert, " + what, "penstock", [=] { penstock::convert(nullptr, to, from, n); });
    add("convert, " + what, "cub::DeviceTransform", [=] {
      bench::require(
          cub::DeviceTransform::Transform(cuda::std::make_tuple(from), to, n, penstock::detail::convert_to<float>{}),
          "cub::DeviceTransform");
    });
  }

  // One block, as the cycles in docs/benchmarks.md are those of one.
  template <int Depth>
  void loop() {
    const std::string row = "loop, no work, depth " + std::to_string(Depth);
    using overhead::nothing, penstock::specialised;
    const float* in = reinterpret_cast<const float*>(from_);
    float* out = reinterpret_cast<float*>(to_);
    long long* cycles = reinterpret_cast<long long*>(to_ + (64 << 20));
    constexpr long long n = 4352;
    add(row, "penstock, specialised", [=] {
      const auto kernel = overhead::declared<Depth, nothing, specialised<>>;
      const auto s =
          penstock::prepare<overhead::line<Depth, nothing>, specialised<>>(reinterpret_cast<const void*>(kernel));
      kernel<<<1, s.threads, s.shared_bytes>>>(in, out, n, cycles);
    });
    if (bench::query_device().capability < 90) return;
    add(row, "by hand, PTX", [=] {
      const auto kernel = overhead::by_hand<Depth, nothing>;
      constexpr long long shared = overhead::by_hand_shared<Depth, nothing>;
      bench::require(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                          cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
                     "cannot raise the shared memory");
      kernel<<<1, overhead::compute_threads + 64, shared>>>(in, out, n, cycles);
    });
  }

  unsigned char* to_;
  unsigned char* from_;
  std::vector<work> all_;
};

}  // namespace

// profile --list: "row<TAB>who" lines.  profile N: runs the N-th of them, counted from 1.
int main(int argc, char** argv) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "there is no usable CUDA device\n");
    return 1;
  }
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s --list | %s N\n", argv[0], argv[0]);
    return 2;
  }
  const bench::arena memory(3ll << 30);
  if (!memory.holds(3ll << 30)) {
    std::fprintf(stderr, "the rows take 3 GiB of device memory; less is free\n");
    return 1;
  }
  const rows r(memory);
  if (std::string(argv[1]) == "--list") {
    for (const work& w : r.all()) std::printf("%s\t%s\n", w.row.c_str(), w.who.c_str());
    return 0;
  }
  const int n = std::atoi(argv[1]);
  if (n < 1 || n > static_cast<int>(r.all().size())) {
    std::fprintf(stderr, "there is no row %s; allowed are 1 to %zu\n", argv[1], r.all().size());
    return 2;
  }
  const work& w = r.all()[static_cast<std::size_t>(n - 1)];
  for (int k = 0; k < 2; ++k) w.go();
  bench::require(cudaDeviceSynchronize(), "the work failed");
  bench::require(cudaProfilerStart(), "cannot start the profiler");
  w.go();
  bench::require(cudaDeviceSynchronize(), "the work failed");
  bench::require(cudaProfilerStop(), "cannot stop the profiler");
  return 0;
}
