// Where the searches run, and what each pass cost.
#pragma once

#include <cstdio>
#include <numeric>
#include <vector>

#include "match.hpp"
#include "series.hpp"
#include "support/gpu.hpp"

namespace penstock::examples {

// Where a pass works: in arrays of the host, by its threads; or in those of a GPU, by blocks.
struct on_host {
  template <class T>
  class array {
   public:
    explicit array(std::vector<T> values) : values_(std::move(values)) {}
    T* data() { return values_.data(); }
    const std::vector<T>& read() const { return values_; }

   private:
    std::vector<T> values_;
  };
  static long long match_blocks() { return host_threads(); }
  static double run(const match_job& j, long long blocks) {
    return seconds_of(
        [&] { in_parallel(blocks, [&](long long b) { match_block<sequential>(j, b, blocks); }); });
  }
  static double run(const series_job& j, long long blocks) {
    return seconds_of([&] { in_parallel(blocks, [&](long long b) { series_block<sequential>(j, b); }); });
  }
};

#if defined(__CUDACC__)

template <class... Options>
__global__ void match_kernel(match_job j) {
  match_block<Options...>(j, blockIdx.x, gridDim.x);
}
template <class... Options>
__global__ void series_kernel(series_job j) {
  series_block<Options...>(j, blockIdx.x);
}

template <class... Options>
struct on_gpu {
  template <class T>
  using array = gpu_array<T>;
  static long long match_blocks() {
    return resident_blocks<match_line, Options...>(match_kernel<Options...>);
  }
  static double run(const match_job& j, long long blocks) {
    return timed([&] {
      launch<match_line, Options...>(nullptr, static_cast<unsigned>(blocks), match_kernel<Options...>, j);
    });
  }
  static double run(const series_job& j, long long blocks) {
    return timed([&] {
      launch<series_line, Options...>(nullptr, static_cast<unsigned>(blocks), series_kernel<Options...>, j);
    });
  }

 private:
  template <class Start>
  static double timed(Start start) {
    gpu_clock clock;
    clock.start();
    start();
    return clock.stop();
  }
};

#endif

template <class Run>
auto run_at([[maybe_unused]] const place& here, Run&& run) {
#if defined(__CUDACC__)
  if (!here.on_host())
    return below(here.backend, [&](auto ceiling) { return run(on_gpu<decltype(ceiling)>{}); });
#endif
  return run(on_host{});
}

// What a pass read, and how long it took.
struct effort {
  double bytes = 0;
  double seconds = 0;
};

inline double total_bytes(const std::vector<count64>& elements, std::size_t each) {
  return static_cast<double>(std::accumulate(elements.begin(), elements.end(), count64{0}) * each);
}

inline void report(const char* what, const effort& e, const effort& full) {
  std::printf("  %-12s read %12.3f MB (%5.1f %%) in %10.3f ms (%5.1f %%)\n", what, 1e-6 * e.bytes,
              100 * e.bytes / full.bytes, 1e3 * e.seconds, 100 * e.seconds / full.seconds);
}

}  // namespace penstock::examples
