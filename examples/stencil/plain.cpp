// The oracle: diffusion in plain loops, with nothing of the pipeline in it.
#include <algorithm>
#include <memory>

#include "simulate.hpp"
#include "support/parallel.hpp"

namespace penstock::examples {
namespace {

template <class T>
void diffuse_row(const grid& g, const T* from, T* to, long long line) {
  const long long z = line / g.rows, y = line % g.rows, row = g.columns, plane = g.rows * row;
  const bool face = y == 0 || y == g.rows - 1 || (g.axes == 3 && (z == 0 || z == g.planes - 1));
  from += line * row;
  to += line * row;
  if (face || row < 3) {
    std::copy_n(from, row, to);
    return;
  }
  to[0] = from[0];
  to[row - 1] = from[row - 1];
  if (g.axes == 3) {
    for (long long x = 1; x < row - 1; ++x)
      to[x] = diffused(from[x], from[x - 1], from[x + 1], from[x - row], from[x + row], from[x - plane],
                       from[x + plane]);
  } else {
    for (long long x = 1; x < row - 1; ++x)
      to[x] = diffused(from[x], from[x - 1], from[x + 1], from[x - row], from[x + row]);
  }
}

}  // namespace

template <class T>
simulated<T> simulate_plainly(const grid& g, std::uint64_t steps, std::span<T> cells) {
  const auto other = std::make_unique_for_overwrite<T[]>(cells.size());
  T* from = cells.data();
  T* to = other.get();
  simulated<T> result;
  progress bar("plain loops", steps * cells.size(), "cells");
  const long long lines = g.planes * g.rows, share = 64;
  for (std::uint64_t k = 0; k < steps; ++k) {
    result.seconds += seconds_of([&] {
      in_parallel((lines + share - 1) / share, [&](long long part) {
        for (long long line = part * share; line < std::min(lines, (part + 1) * share); ++line)
          diffuse_row(g, from, to, line);
      });
    });
    std::swap(from, to);
    bar.advance(cells.size());
  }
  if (steps > 0)
    for (std::size_t k = 0; k < cells.size(); ++k)
      result.residual = std::max(result.residual, change(from[k], to[k]));
  if (from != cells.data()) std::copy_n(from, cells.size(), cells.data());
  return result;
}

template simulated<float> simulate_plainly(const grid&, std::uint64_t, std::span<float>);
template simulated<double> simulate_plainly(const grid&, std::uint64_t, std::span<double>);

}  // namespace penstock::examples
