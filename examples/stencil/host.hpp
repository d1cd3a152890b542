// Time steps on the host.
#pragma once

#include <algorithm>
#include <vector>

#include "simulate.hpp"
#include "support/parallel.hpp"
#include "support/progress.hpp"
#include "sweep.hpp"

namespace penstock::examples {

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

}  // namespace penstock::examples
