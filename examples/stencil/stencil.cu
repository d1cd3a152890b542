// Heat diffusion, 5 points in 2-D and 7 in 3-D. A block's tile moves along the slowest axis: while one plane
// (in 2-D: one block of rows) is worked on, its neighbours on both sides are in the ring and the next ones
// are on their way.
//
//   read ──▶ tile[5] ──▶ diffuse ──▶ memory
//   (async)   [-1, 1]    (sync)
//
// sweep.hpp holds the pipeline, gpu.hpp and host.hpp where it runs, plain.cpp the oracle, main.cpp the rest.
#include "host.hpp"
#include "support/gpu.hpp"

#if defined(__CUDACC__)
#include "gpu.hpp"
#endif

namespace penstock::examples {

template <class T, int Axes>
comparison_run<T> simulate_at([[maybe_unused]] const place& here, const grid& g, std::uint64_t steps,
                              std::span<T> cells) {
#if defined(__CUDACC__)
  if (!here.on_host())
    return below(here.backend, [&](auto ceiling) {
      return simulate_on_gpu<T, Axes, sweep_mapping, decltype(ceiling)>(g, steps, cells);
    });
#endif
  return simulate_on_host<T, Axes>(g, steps, cells);
}

template <class T>
comparison_run<T> simulate(const place& here, const grid& g, std::uint64_t steps, std::span<T> cells) {
  return g.axes == 3 ? simulate_at<T, 3>(here, g, steps, cells) : simulate_at<T, 2>(here, g, steps, cells);
}

place find_place(backend_choice asked, int device) { return choose_place(asked, device); }

template comparison_run<float> simulate(const place&, const grid&, std::uint64_t, std::span<float>);
template comparison_run<double> simulate(const place&, const grid&, std::uint64_t, std::span<double>);

}  // namespace penstock::examples
