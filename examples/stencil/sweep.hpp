// One time step as a pipeline: each block streams a tile's worth of the grid along the slowest axis, through
// a ring in which the step before, the one at hand and the one after are there at once. In 3-D a step is a
// plane, in 2-D some rows.
#pragma once

#include <penstock/run/run.hpp>

#include "diffuse.hpp"

namespace penstock::examples {

// clang-format off
template <class T, int Axes>
using sweep_line = pipeline<
    buffer<"tile", typename tile_shape<T, Axes>::slot, depth<5>>,
    stage<"read", async, writes<"tile">>,
    stage<"diffuse", sync, reads<"tile", window<-1, 1>>>>;
// clang-format on

// Light work between two waits: one agent of all warps and a block barrier a step are cheaper than a
// hand-over by roles.
using sweep_mapping = uniform<8>;

// Block b of the sweep.
template <class T, int Axes, class... Options>
PENSTOCK_HD void sweep_block(const sweep<T, Axes>& s, long long b) {
  using shape = tile_shape<T, Axes>;
  const long long x0 = b % s.c.across * shape::columns;
  const long long y0 = b / s.c.across % s.c.down * shape::rows;
  const long long begin = b / (s.c.across * s.c.down) * s.c.chunk;
  const long long end = begin + s.c.chunk < s.c.steps ? begin + s.c.chunk : s.c.steps;
  // the neighbours of the first and the last step belong to the run, where there are any
  const long long first = begin > 0 ? begin - 1 : 0, last = end < s.c.steps ? end : s.c.steps - 1;
  // clang-format off
  run<sweep_line<T, Axes>, Options...>(last - first + 1,
      on<"read">([&](long long i) {
        if constexpr (Axes == 3) return from(s.from, first + i, y0 - 1, x0 - shape::pack);
        else return from(s.from, (first + i) * shape::rows, x0 - shape::pack);
      }),
      on<"diffuse">([&](const auto& group, const auto& in, long long i) {
        const long long step = first + i;
        if (step < begin || step >= end) return;
        diffuse_tile(s, group, in, step, Axes == 3 ? y0 : step * shape::rows, x0);
      }));
  // clang-format on
}

}  // namespace penstock::examples
