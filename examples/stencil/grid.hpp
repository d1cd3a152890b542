// The cells of a grid, what one step of heat diffusion does to each, and how cells lie in memory.
#pragma once

#include <penstock/plan/list.hpp>

namespace penstock::examples {

// Slowest axis first. A 2-D grid has one plane.
struct grid {
  int axes = 3;
  long long planes = 1;
  long long rows = 1;
  long long columns = 1;
  constexpr long long cells() const { return planes * rows * columns; }
};

// Rows start at multiples of 128 bytes, a whole line of the cache: then a tensor map exists whatever the
// extents are.
template <class T>
constexpr long long pitch_of(const grid& g) {
  constexpr long long line = 128 / sizeof(T);
  return (g.columns + line - 1) / line * line;
}

// One explicit step of the heat equation with alpha dt / dx^2 = 1/8. Cells on the faces of the grid keep
// their values. Sums first and one multiplication last: no compiler can contract that, so every backend gives
// the same bits.
template <class T>
PENSTOCK_HD constexpr T diffused(T cell, T left, T right, T up, T down) {
  return T(0.125) * (((left + right) + (up + down)) + ((cell + cell) + (cell + cell)));
}
template <class T>
PENSTOCK_HD constexpr T diffused(T cell, T left, T right, T up, T down, T before, T after) {
  return T(0.125) * ((((left + right) + (up + down)) + (before + after)) + (cell + cell));
}

// How far a cell moved in a step; 0 where either value is not a number.
template <class T>
PENSTOCK_HD constexpr T change(T a, T b) {
  const T d = a < b ? b - a : a - b;
  return d == d ? d : T(0);
}

}  // namespace penstock::examples
