// Time steps on a GPU: by the pipeline, and by the plain kernel that one would write first.
#pragma once

#include <algorithm>
#include <vector>

#include "gpu_grids.hpp"
#include "simulate.hpp"
#include "support/progress.hpp"
#include "sweep.hpp"

namespace penstock::examples {

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
  const cut c = cut_grid<T, Axes>(g, resident_blocks<sweep_line<T, Axes>, Options...>(kernel));
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

}  // namespace penstock::examples
