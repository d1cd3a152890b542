// y = a x + y, all of penstock in one kernel: two arrays stream in, a body works on one of them in place, the
// result streams out.
//
//   read x ──▶ x[4] ──▶ ┌──────┐
//   (async)             │ axpy │
//   read y ──▶ y[4] ◀─▶ └──────┘
//   (async)     │        (sync)
//               └─────▶ write (async)
#include <cmath>
#include <vector>

#include "support/cli.hpp"
#include "support/gpu.hpp"
#include "support/pattern.hpp"

namespace penstock::examples {

constexpr long long tile = 1024;

// clang-format off
using axpy_line = pipeline<
    buffer<"x", float[tile], depth<4>>, buffer<"y", float[tile], depth<4>>,
    stage<"read x", async, writes<"x">>,
    stage<"read y", async, writes<"y">>,
    stage<"axpy", sync, reads<"x">, updates<"y">>,
    stage<"write", async, reads<"y">>>;

template <class... Options>  // block `b` of `blocks` takes the tiles b, b + blocks, …
PENSTOCK_HD void axpy(float a, const float* x, float* y, long long n, long long b, long long blocks) {
  const auto at = [=](long long i) { return (b + i * blocks) * tile; };
  const auto size = [=](long long i) { return n - at(i) < tile ? n - at(i) : tile; };
  run<axpy_line, Options...>(((n + tile - 1) / tile - b + blocks - 1) / blocks,
      on<"read x">([=](long long i) { return from(x + at(i), size(i)); }),
      on<"read y">([=](long long i) { return from(y + at(i), size(i)); }),
      on<"axpy">([=](auto group, auto& xs, auto& ys, long long) {
        for (int k = group.rank(); k < tile; k += group.size()) ys[k] = std::fma(a, xs[k], ys[k]);
      }),
      on<"write">([=](long long i) { return to(y + at(i), size(i)); }));
}
// clang-format on

#if defined(__CUDACC__)

template <class... Options>
__global__ void axpy_kernel(float a, const float* x, float* y, long long n) {
  axpy<Options...>(a, x, y, n, blockIdx.x, gridDim.x);
}

template <class... Options>
double run_on_gpu(float a, const std::vector<float>& x, std::vector<float>& y) {
  const auto blocks = resident_blocks<axpy_line, Options...>(axpy_kernel<Options...>);
  const gpu_array<float> gpu_x(x), gpu_y(y);
  gpu_clock clock;
  clock.start();
  launch<axpy_line, Options...>(nullptr, static_cast<unsigned>(blocks), axpy_kernel<Options...>, a,
                                gpu_x.data(), gpu_y.data(), static_cast<long long>(x.size()));
  const double seconds = clock.stop();
  y = gpu_y.read();
  return seconds;
}

#endif

double run_at([[maybe_unused]] const place& here, float a, const std::vector<float>& x,
              std::vector<float>& y) {
#if defined(__CUDACC__)
  if (!here.on_host())
    return below(here.backend, [&](auto ceiling) { return run_on_gpu<decltype(ceiling)>(a, x, y); });
#endif
  return seconds_of([&] {
    const long long blocks = host_threads();
    in_parallel(blocks, [&](long long b) {
      axpy<sequential>(a, x.data(), y.data(), static_cast<long long>(x.size()), b, blocks);
    });
  });
}

}  // namespace penstock::examples

int main(int argc, char** argv) {
  using namespace penstock::examples;
  CLI::App app{"y = a x + y through a penstock pipeline"};
  common_options common;
  std::uint64_t count = 100'000'007;
  add_common_options(app, common);
  add_count(app, "--count", count, 0, 1ull << 40, "elements of each array");
  return run_main(app, argc, argv, [&] {
    const place here = choose_place(common.backend, common.device);
    const float a = 2.7f;
    std::vector<float> x(count), y(count);
    fill_coded<float>(x, 1);
    fill_coded<float>(y, 2);
    const double seconds = run_at(here, a, x, y);
    std::printf("y = a x + y for %zu elements on %s, %s backend: %.1f GB/s\n", x.size(), here.name.c_str(),
                to_string(here.backend), 12e-9 * static_cast<double>(x.size()) / seconds);
    if (!common.verify) return 0;
    const auto wrong = compare<float>(
        y, [&](std::uint64_t i) { return std::fma(a, x[i], coded_value<float>(2, i)); }, same_bits{});
    if (!wrong) throw std::runtime_error("the result is wrong: " + describe(wrong));
    std::printf("verified: every element equals the host's, bit for bit\n");
    return 0;
  });
}
