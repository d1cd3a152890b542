// One time step as a pipeline: each block streams a tile's worth of the grid along the slowest axis, through
// a ring in which the step before, the one at hand and the one after are there at once. In 3-D a step is a
// plane, in 2-D some rows.
#pragma once

#include <penstock/run/run.hpp>
#include <penstock/run/tensor_map.hpp>

#include "cut.hpp"

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

template <class T, int Axes>
struct sweep {
  tiled<typename tile_shape<T, Axes>::slot, Axes> from;
  T* to = nullptr;
  grid g;
  long long pitch = 0;
  cut c;
};

template <class T, int Axes>
sweep<T, Axes> make_sweep(T* from, T* to, const grid& g, const cut& c) {
  using slot = typename tile_shape<T, Axes>::slot;
  const long long pitch = pitch_of<T>(g);
  if constexpr (Axes == 3)
    return {make_tiled<slot, 3>(from, {g.planes, g.rows, g.columns}, {pitch * g.rows, pitch, 1}), to, g,
            pitch, c};
  else
    return {make_tiled<slot, 2>(from, {g.rows, g.columns}, {pitch, 1}), to, g, pitch, c};
}

// As many cells as fit 16 bytes.
template <class T>
struct alignas(16) pack {
  T cell[16 / sizeof(T)];
  static PENSTOCK_HD const pack& at(const T* address) { return *reinterpret_cast<const pack*>(address); }
};

// Step `step` of the tile at row y0 and column x0, whose slots `in` shows.
template <class T, int Axes, class Group, class View>
PENSTOCK_HD void diffuse_tile(const sweep<T, Axes>& s, const Group& group, const View& in, long long step,
                              long long y0, long long x0) {
  using shape = tile_shape<T, Axes>;
  constexpr int halo = shape::pack, packs = shape::columns / shape::pack, rows_each = 2;
  // A plane without both neighbours is a face.
  const bool face = Axes == 3 && !(in.has(-1) && in.has(1));
  const auto row = [&](int r) -> const T* {
    if constexpr (Axes == 3)
      return in[0][r + 1];
    else if (r < 0)
      return in[in.has(-1) ? -1 : 0][shape::rows - 1];
    else if (r == shape::rows)
      return in[in.has(1) ? 1 : 0][0];
    else
      return in[0][r];
  };
  for (int k = group.rank(); k < packs * shape::rows / rows_each; k += group.size()) {
    const int column = halo + k % packs * shape::pack, first = k / packs * rows_each;
    const long long x = x0 + column - halo;
    if (x >= s.g.columns) continue;
    pack<T> up = pack<T>::at(row(first - 1) + column), here = pack<T>::at(row(first) + column);
    for (int r = first; r < first + rows_each; ++r) {
      const long long y = y0 + r;
      if (y >= s.g.rows) break;
      const pack<T> down = pack<T>::at(row(r + 1) + column);
      const T left = row(r)[column - 1], right = row(r)[column + shape::pack];
      const pack<T> now = here;
      const auto west = [&](int l) { return l == 0 ? left : now.cell[l == 0 ? 0 : l - 1]; };
      const auto east = [&](int l) {
        return l == shape::pack - 1 ? right : now.cell[l == shape::pack - 1 ? l : l + 1];
      };
      pack<T> out;
      if constexpr (Axes == 3) {
        const pack<T> before = pack<T>::at(in[face ? 0 : -1][r + 1] + column);
        const pack<T> after = pack<T>::at(in[face ? 0 : 1][r + 1] + column);
        for (int l = 0; l < shape::pack; ++l)
          out.cell[l] = diffused(now.cell[l], west(l), east(l), up.cell[l], down.cell[l], before.cell[l],
                                 after.cell[l]);
      } else {
        for (int l = 0; l < shape::pack; ++l)
          out.cell[l] = diffused(now.cell[l], west(l), east(l), up.cell[l], down.cell[l]);
      }
      // columns past the last read as zero and stay zero
      const bool edge = face || y == 0 || y == s.g.rows - 1;
      for (int l = 0; l < shape::pack; ++l)
        if (edge || x + l == 0 || x + l >= s.g.columns - 1) out.cell[l] = now.cell[l];
      const long long line = Axes == 3 ? step * s.g.rows + y : y;
      *reinterpret_cast<pack<T>*>(s.to + line * s.pitch + x) = out;
      up = here;
      here = down;
    }
  }
}

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
