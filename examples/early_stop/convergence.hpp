// Series that are summed until they converge, beside a pass that adds every term.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "places.hpp"
#include "support/pattern.hpp"

namespace penstock::examples {

struct series_summed {
  std::vector<double> sums, full_sums;
  std::vector<count64> tiles;
  effort early, full;
};

constexpr double tolerance = 1e-9;

template <class Where>
series_summed sum_series(const std::vector<float>& terms, std::size_t series) {
  typename Where::template array<float> data(terms);
  series_summed result;
  const auto pass = [&](double within, std::vector<double>& into) {
    typename Where::template array<double> sums{std::vector<double>(series)};
    typename Where::template array<count64> tiles{std::vector<count64>(series)};
    typename Where::template array<count64> fetched{std::vector<count64>(series)};
    const double seconds = Where::run(series_job{data.data(), static_cast<long long>(terms.size() / series),
                                                 within, sums.data(), tiles.data(), fetched.data()},
                                      static_cast<long long>(series));
    into = sums.read();
    result.tiles = tiles.read();
    return effort{total_bytes(fetched.read(), sizeof(float)), seconds};
  };
  (void)pass(-1, result.full_sums);
  result.full = pass(-1, result.full_sums);
  result.early = pass(tolerance, result.sums);
  return result;
}

// Series b of `series` falls by this factor from tile to tile.
inline double ratio_of(std::uint64_t b, std::uint64_t series, std::size_t length) {
  const double tiles = std::ceil(static_cast<double>(length) / series_tile);
  const double share = 0.05 + 0.85 * static_cast<double>(b) / static_cast<double>(series);
  return std::exp(std::log(tolerance) / (share * tiles));
}

struct expected_sum {
  double sum = 0;
  count64 tiles = 0;
};

// The same additions in the same order as the pipeline's, in plain loops.
inline expected_sum sum_plainly(const float* terms, std::size_t length, double within) {
  expected_sum e;
  for (std::size_t at = 0; at < length; at += series_tile) {
    std::vector<double> lanes(series_lanes);
    for (std::size_t k = 0; k < std::min<std::size_t>(series_tile, length - at); ++k)
      lanes[k % series_lanes] += static_cast<double>(terms[at + k]);
    for (std::size_t half = series_lanes / 2; half > 0; half /= 2)
      for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
    e.sum += lanes[0];
    ++e.tiles;
    if (converged(lanes[0], e.sum, within)) break;
  }
  return e;
}

inline void series_until_converged(std::uint64_t series, std::size_t length, const place& here, bool verify) {
  std::vector<float> terms(series * length);
  in_parallel(static_cast<long long>(series), [&](long long b) {
    const double step = std::pow(ratio_of(static_cast<std::uint64_t>(b), series, length), 1.0 / series_tile);
    double term = 1;
    for (std::size_t k = 0; k < length; ++k, term *= step)
      terms[static_cast<std::size_t>(b) * length + k] = static_cast<float>(term);
  });
  const auto summed =
      run_at(here, [&](auto where) { return sum_series<decltype(where)>(terms, series); });

  std::printf("%llu series of %zu terms, each summed until a tile of %d changes it by less than %g\n",
              static_cast<unsigned long long>(series), length, series_tile, tolerance);
  report("until then", summed.early, summed.full);
  report("full pass", summed.full, summed.full);
  if (!verify) return;
  for (std::size_t b = 0; b < series; ++b) {
    const float* const at = terms.data() + b * length;
    const expected_sum early = sum_plainly(at, length, tolerance), full = sum_plainly(at, length, -1);
    if (!same_bits{}(early.sum, summed.sums[b]) || early.tiles != summed.tiles[b] ||
        !same_bits{}(full.sum, summed.full_sums[b]))
      throw std::runtime_error("the sum of series " + std::to_string(b) + " is wrong");
    // what is left out is a geometric series again; twice its sum allows for rounding
    const double ratio = ratio_of(b, series, length);
    if (std::abs(full.sum - early.sum) > 2 * tolerance * full.sum * ratio / (1 - ratio))
      throw std::runtime_error("series " + std::to_string(b) + " stopped too early");
  }
  std::printf(
      "verified: every sum equals that of plain loops, bit for bit, and the full sum within what is left "
      "out\n");
}

}  // namespace penstock::examples
