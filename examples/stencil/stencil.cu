// Heat diffusion, 5 points in 2-D and 7 in 3-D. A block's tile moves along the slowest axis: while one plane
// (in 2-D: one block of rows) is worked on, its neighbours on both sides are in the ring and the next ones
// are on their way.
//
//   read ──▶ tile[5] ──▶ diffuse ──▶ memory
//   (async)   [-1, 1]    (sync)
//
// This file is the part that may run on a GPU; sweep.hpp holds the pipeline, plain.cpp the oracle, main.cpp
// the rest.
#include "sweep.hpp"

#include <algorithm>
#include <vector>

#include "simulate.hpp"
#include "support/gpu.hpp"

#if defined(__CUDACC__)
#include <thrust/device_vector.h>
#include <thrust/inner_product.h>
#endif

namespace penstock::examples {

#if defined(__CUDACC__)

template <class T, int Axes, class... Options>
__global__ void sweep_kernel(const __grid_constant__ sweep<T, Axes> s) {
  sweep_block<T, Axes, Options...>(s, blockIdx.x);
}

// What one would write first: a thread a cell, caches for the rest. Grids beyond a launch's limits take
// turns.
template <class T, int Axes>
__global__ void plain_kernel(const T* from, T* to, grid g, long long pitch) {
  const long long x = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  const long long plane = pitch * g.rows;
  if (x >= g.columns) return;
  for (long long z = blockIdx.z; z < g.planes; z += gridDim.z)
    for (long long y = static_cast<long long>(blockIdx.y) * blockDim.y + threadIdx.y; y < g.rows;
         y += static_cast<long long>(gridDim.y) * blockDim.y) {
      const long long at = z * plane + y * pitch + x;
      const bool face = x == 0 || x == g.columns - 1 || y == 0 || y == g.rows - 1 ||
                        (Axes == 3 && (z == 0 || z == g.planes - 1));
      if (face)
        to[at] = from[at];
      else if constexpr (Axes == 3)
        to[at] = diffused(from[at], from[at - 1], from[at + 1], from[at - pitch], from[at + pitch],
                          from[at - plane], from[at + plane]);
      else
        to[at] = diffused(from[at], from[at - 1], from[at + 1], from[at - pitch], from[at + pitch]);
    }
}

template <class T>
struct larger {
  PENSTOCK_HD T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct changed {
  PENSTOCK_HD T operator()(T a, T b) const { return change(a, b); }
};

// Two copies of the grid in the GPU's memory, between which steps go back and forth. Padding is zero and
// stays zero.
template <class T>
class gpu_grids {
 public:
  explicit gpu_grids(const grid& g) : g_(g), pitch_(pitch_of<T>(g)) {
    const auto count = static_cast<std::size_t>(pitch_ * g.rows * g.planes);
    require_gpu_memory(2 * count * sizeof(T));
    try {
      for (auto& v : cells_) v = thrust::device_vector<T>(count);
    } catch (const std::bad_alloc&) {  // which would be reported as the host's
      throw std::runtime_error("the GPU has too little free memory for this grid");
    }
  }
  T* cells(std::uint64_t k) { return thrust::raw_pointer_cast(cells_[k % 2].data()); }
  void load(const T* from) { copy_rows(cells(0), pitch_, from, g_.columns, cudaMemcpyHostToDevice); }
  void store(std::uint64_t k, T* to) { copy_rows(to, g_.columns, cells(k), pitch_, cudaMemcpyDeviceToHost); }
  T residual() const {
    return thrust::inner_product(cells_[0].begin(), cells_[0].end(), cells_[1].begin(), T(0), larger<T>{},
                                 changed<T>{});
  }

 private:
  void copy_rows(T* to, long long to_pitch, const T* from, long long from_pitch, cudaMemcpyKind kind) const {
    const auto bytes = [](long long n) { return static_cast<std::size_t>(n) * sizeof(T); };
    constexpr long long widest = 1ll << 30;  // of a row, in bytes, that cudaMemcpy2D takes
    const long long lines = g_.planes * g_.rows;
    if (bytes(pitch_) <= widest) {
      require_cuda(cudaMemcpy2D(to, bytes(to_pitch), from, bytes(from_pitch), bytes(g_.columns),
                         static_cast<std::size_t>(lines), kind),
            "cannot copy the grid");
      return;
    }
    for (long long line = 0; line < lines; ++line)
      require_cuda(cudaMemcpy(to + line * to_pitch, from + line * from_pitch, bytes(g_.columns), kind),
            "cannot copy the grid");
  }

  grid g_;
  long long pitch_;
  thrust::device_vector<T> cells_[2];
};

// step(k) queues time step k. Steps are timed in batches, few because starting a clock costs time, and short
// enough for a progress bar.
template <class Step>
double time_steps(const char* label, const grid& g, std::uint64_t steps, Step step) {
  constexpr double long_enough = 0.05;
  const auto cells = static_cast<std::uint64_t>(g.cells());
  for (int warm = 0; warm < 3; ++warm)
    step(0);  // from the first grid to the second: the first step overwrites it
  progress bar(label, steps * cells, "cells");
  gpu_clock clock;
  double seconds = 0;
  for (std::uint64_t done = 0, batch = 1; done < steps;) {
    const std::uint64_t end = std::min(steps, done + batch);
    clock.start();
    for (std::uint64_t k = done; k < end; ++k) step(k);
    const double taken = clock.stop();
    seconds += taken;
    if (taken < long_enough) batch *= 2;
    bar.advance((end - done) * cells);
    done = end;
  }
  return seconds;
}

template <class T, int Axes, class... Options>
comparison_run<T> simulate_on_gpu(const grid& g, std::uint64_t steps, std::span<T> cells) {
  if (steps == 0) return {};
  const auto kernel = sweep_kernel<T, Axes, Options...>;
  const cut c = cut_grid<T, Axes>(
      g, resident_blocks<sweep_line<T, Axes>, Options...>(reinterpret_cast<const void*>(kernel)));
  if (c.blocks() > 0x7fffffff)
    refuse(std::errc::value_too_large, "the grid has more tiles than one launch can have blocks");
  gpu_grids<T> grids(g);
  comparison_run<T> result;

  grids.load(cells.data());
  const sweep<T, Axes> sweeps[2] = {make_sweep<T, Axes>(grids.cells(0), grids.cells(1), g, c),
                                    make_sweep<T, Axes>(grids.cells(1), grids.cells(0), g, c)};
  result.pipeline.seconds = time_steps("penstock", g, steps, [&](std::uint64_t k) {
    launch<sweep_line<T, Axes>, Options...>(nullptr, static_cast<unsigned>(c.blocks()), kernel,
                                            sweeps[k % 2]);
  });
  result.pipeline.residual = grids.residual();
  std::vector<T> after(cells.size());
  grids.store(steps, after.data());

  grids.load(cells.data());
  const dim3 block(32, 8);
  const dim3 blocks(static_cast<unsigned>((g.columns + block.x - 1) / block.x),
                    static_cast<unsigned>(std::min((g.rows + block.y - 1) / block.y, 65535ll)),
                    static_cast<unsigned>(std::min(g.planes, 65535ll)));
  result.plain.seconds = time_steps("plain kernel", g, steps, [&](std::uint64_t k) {
    plain_kernel<T, Axes><<<blocks, block>>>(grids.cells(k), grids.cells(k + 1), g, pitch_of<T>(g));
    require_cuda(cudaGetLastError(), "cannot launch the plain kernel");
  });
  result.plain.residual = grids.residual();
  std::copy(after.begin(), after.end(), cells.begin());
  return result;
}

#endif

// Blocks spread over the host's threads, each run by the sequential backend.
template <class T, int Axes>
comparison_run<T> simulate_on_host(const grid& g, std::uint64_t steps, std::span<T> cells) {
  const long long pitch = pitch_of<T>(g), lines = g.planes * g.rows;
  std::vector<T> grids[2] = {std::vector<T>(static_cast<std::size_t>(pitch * lines)),
                             std::vector<T>(static_cast<std::size_t>(pitch * lines))};
  for (long long line = 0; line < lines; ++line)
    std::copy_n(cells.data() + line * g.columns, g.columns, grids[0].data() + line * pitch);
  const cut c = cut_grid<T, Axes>(g, host_threads());
  const sweep<T, Axes> sweeps[2] = {make_sweep<T, Axes>(grids[0].data(), grids[1].data(), g, c),
                                    make_sweep<T, Axes>(grids[1].data(), grids[0].data(), g, c)};
  comparison_run<T> result;
  progress bar("penstock", steps * cells.size(), "cells");
  for (std::uint64_t k = 0; k < steps; ++k) {
    result.pipeline.seconds += seconds_of([&] {
      in_parallel(c.blocks(), [&](long long b) { sweep_block<T, Axes, sequential>(sweeps[k % 2], b); });
    });
    bar.advance(cells.size());
  }
  if (steps > 0)
    for (std::size_t k = 0; k < grids[0].size(); ++k)
      result.pipeline.residual = std::max(result.pipeline.residual, change(grids[0][k], grids[1][k]));
  for (long long line = 0; line < lines; ++line)
    std::copy_n(grids[steps % 2].data() + line * pitch, g.columns, cells.data() + line * g.columns);
  return result;
}

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
