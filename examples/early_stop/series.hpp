// Many series, each summed by a block until a tile of terms no longer changes the sum by more than a
// tolerance.
#pragma once

#include <penstock/run/run.hpp>

#include "shared.hpp"

namespace penstock::examples {

constexpr int series_tile = 2048, series_lanes = 256;

// clang-format off
using series_line = pipeline<
    buffer<"terms", float[series_tile], depth<4>>, buffer<"sums", double[series_lanes], depth<2>>,
    stage<"read", async, writes<"terms">>,
    stage<"add", sync, reads<"terms">, writes<"sums">>,
    stage<"decide", sync, updates<"sums">>>;
// clang-format on

struct series_job {
  const float* terms = nullptr;  // of all series, one after the other
  long long length = 0;          // of a series
  double tolerance = 0;          // relative to the sum so far; negative: sum all terms
  double* sums = nullptr;
  count64* tiles = nullptr;    // that each sum holds
  count64* fetched = nullptr;  // terms that each block has read
};

PENSTOCK_HD constexpr bool converged(double added, double total, double tolerance) {
  return tolerance >= 0 && (added < 0 ? -added : added) <= tolerance * (total < 0 ? -total : total);
}

// Series b. Lanes, not threads, fix the order of additions: however many threads there are, the sum is the
// same.
template <class... Options>
PENSTOCK_HD void series_block(const series_job& j, long long b) {
  const float* const terms = j.terms + b * j.length;
  const auto size = [&](long long i) {
    const long long left = j.length - i * series_tile;
    return static_cast<int>(left < series_tile ? left : series_tile);
  };
  double total = 0;
  count64 fetched = 0;
  // clang-format off
  run<series_line, Options...>((j.length + series_tile - 1) / series_tile,
      on<"read">([&](long long i) {
        fetched += static_cast<count64>(size(i));
        return from(terms + i * series_tile, size(i));
      }),
      on<"add">([&](const auto& group, const auto& tile, auto& sums, long long i) {
        for (int lane = group.rank(); lane < series_lanes; lane += group.size()) {
          double sum = 0;
          for (int k = lane; k < size(i); k += series_lanes) sum += static_cast<double>(tile[k]);
          sums[lane] = sum;
        }
      }),
      on<"decide">([&](const auto& group, auto& sums, long long i) {
        for (int half = series_lanes / 2; half > 0; half /= 2) {
          for (int lane = group.rank(); lane < half; lane += group.size()) sums[lane] += sums[lane + half];
          group.sync();
        }
        total += sums[0];
        if (group.rank() == 0) {
          j.sums[b] = total;
          j.tiles[b] = static_cast<count64>(i + 1);
        }
        return converged(sums[0], total, j.tolerance) ? stop : go;
      }));
  // clang-format on
  raise(j.fetched[b], fetched);
}

}  // namespace penstock::examples
