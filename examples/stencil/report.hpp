// What is told of a simulation: a picture, whether it is right, how fast it was.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "simulate.hpp"
#include "support/image.hpp"
#include "support/pattern.hpp"

namespace penstock::examples {

// The plane in the middle of the slowest axis; of a 2-D grid, all of it.
template <class T>
std::vector<T> middle_slice(const grid& g, std::span<const T> cells) {
  const auto plane = static_cast<std::size_t>(g.rows * g.columns);
  const auto slice = cells.subspan(static_cast<std::size_t>(g.planes / 2) * plane, plane);
  return {slice.begin(), slice.end()};
}

template <class T>
void draw(const std::string& path, const grid& g, const std::vector<T>& before, const std::vector<T>& after) {
  std::optional<value_range> range;
  for (const T cell : before) {
    if (!std::isfinite(cell)) continue;
    if (!range) range = value_range{cell, cell};
    range->low = std::min<double>(range->low, cell);
    range->high = std::max<double>(range->high, cell);
  }
  const value_range shown = range.value_or(value_range{});
  const auto width = static_cast<std::uint64_t>(g.columns);
  write_png(path, with_legend(side_by_side(draw_slice(before, width, shown), draw_slice(after, width, shown)),
                              shown));
}

// Bit for bit, but for which of the many values that are not a number it is.
struct same_cell {
  template <class T>
  bool operator()(T a, T b) const {
    return same_bits{}(a, b) || (std::isnan(a) && std::isnan(b));
  }
};

// `start` becomes what is expected.
template <class T>
void verify(const grid& g, std::uint64_t steps, std::span<T> start, std::span<const T> got,
            const comparison_run<T>& run, const place& here) {
  const simulated<T> expected = simulate_plainly(g, steps, start);
  const auto wrong = compare_arrays<T>(start, got, same_cell{});
  if (!wrong) throw std::runtime_error("the result is wrong: " + describe(wrong));
  const auto require = [&](const char* whose, T residual) {
    if (residual != expected.residual)
      throw std::runtime_error(fmt::format("the residual of the {} is wrong: expected {}, got {}", whose,
                                           expected.residual, residual));
  };
  require("pipeline", run.pipeline.residual);
  if (!here.on_host()) require("plain kernel", run.plain.residual);
  fmt::print("verified: all {} cells equal those of plain loops, bit for bit ({:.3g} s on the host)\n",
             g.cells(), expected.seconds);
}

inline void report_speed(const char* whose, double cells, double seconds) {
  fmt::print("  {:<14} {:10.3f} GCells/s  {:10.3f} ms\n", whose, 1e-9 * cells / seconds, 1e3 * seconds);
}

}  // namespace penstock::examples
