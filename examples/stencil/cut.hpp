// How a grid is cut into tiles, and those into the work of a block.
#pragma once

#include "grid.hpp"

namespace penstock::examples {

// What a block works on at a time. Left and right of a tile lie 16 bytes of its neighbours, which keeps rows
// aligned; above and below, in 3-D, one row.
template <class T, int Axes>
struct tile_shape {
  static constexpr int pack = 16 / sizeof(T);
  static constexpr int columns = 512 / sizeof(T);
  static constexpr int rows = 16;
  static constexpr int halo_rows = Axes == 3 ? 1 : 0;
  using slot = T[rows + 2 * halo_rows][columns + 2 * pack];
};

// A grid cut into tiles across its fast axes and into chunks of steps along the slowest.
struct cut {
  long long across = 0;  // tiles
  long long down = 0;    // tiles; 1 in 2-D
  long long steps = 0;
  long long chunk = 0;  // steps of a block
  long long chunks = 0;
  long long blocks() const { return across * down * chunks; }
};

// `resident` blocks run at once. A chunk's two neighbouring steps are read twice and its first steps wait for
// memory, so chunks are long; but no wave of blocks shall be nearly empty.
template <class T, int Axes>
cut cut_grid(const grid& g, long long resident) {
  using shape = tile_shape<T, Axes>;
  cut c;
  c.across = (g.columns + shape::columns - 1) / shape::columns;
  c.down = Axes == 3 ? (g.rows + shape::rows - 1) / shape::rows : 1;
  c.steps = Axes == 3 ? g.planes : (g.rows + shape::rows - 1) / shape::rows;
  constexpr long long most_chunks = 1024, lost_steps = 4;
  long long best = -1;
  for (long long n = 1; n <= c.steps && n <= most_chunks; ++n) {
    const long long chunk = (c.steps + n - 1) / n;
    const long long waves = (c.across * c.down * n + resident - 1) / resident;
    const long long cost = waves * (chunk + lost_steps);
    if (best >= 0 && cost >= best) continue;
    best = cost;
    c.chunk = chunk;
  }
  c.chunks = (c.steps + c.chunk - 1) / c.chunk;
  return c;
}

}  // namespace penstock::examples
