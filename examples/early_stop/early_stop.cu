// Two searches that know when they are done: for the first match in an array, and for the sum of each of many
// series. A body returns penstock::stop; what its block has read ahead is drained, and nothing more is read.
//
//   read ──▶ values[4] ──▶ compare          read ──▶ terms[4] ──▶ add ──▶ sums[2] ──▶ decide
//   (async)                (sync, stops)    (async)               (sync)              (sync, stops)
//
// match.hpp and series.hpp hold the pipelines. What was read, and in which time, is reported beside a pass
// that never stops.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "match.hpp"
#include "series.hpp"
#include "support/cli.hpp"
#include "support/gpu.hpp"
#include "support/pattern.hpp"

namespace penstock::examples {

// What a pass read, and how long it took.
struct effort {
  double bytes = 0;
  double seconds = 0;
};

struct match_found {
  count64 first = 0;
  effort early, full;
};

struct series_summed {
  std::vector<double> sums, full_sums;
  std::vector<count64> tiles;
  effort early, full;
};

// Where a pass works: in arrays of the host, by its threads; or in those of a GPU, by blocks.
struct on_host {
  template <class T>
  class array {
   public:
    explicit array(std::vector<T> values) : values_(std::move(values)) {}
    T* data() { return values_.data(); }
    const std::vector<T>& read() const { return values_; }

   private:
    std::vector<T> values_;
  };
  static long long match_blocks() { return host_threads(); }
  static double run(const match_job& j, long long blocks) {
    return seconds_of(
        [&] { in_parallel(blocks, [&](long long b) { match_block<sequential>(j, b, blocks); }); });
  }
  static double run(const series_job& j, long long blocks) {
    return seconds_of([&] { in_parallel(blocks, [&](long long b) { series_block<sequential>(j, b); }); });
  }
};

#if defined(__CUDACC__)

template <class... Options>
__global__ void match_kernel(match_job j) {
  match_block<Options...>(j, blockIdx.x, gridDim.x);
}
template <class... Options>
__global__ void series_kernel(series_job j) {
  series_block<Options...>(j, blockIdx.x);
}

template <class... Options>
struct on_gpu {
  template <class T>
  using array = gpu_array<T>;
  static long long match_blocks() {
    return resident_blocks<match_line, Options...>(reinterpret_cast<const void*>(match_kernel<Options...>));
  }
  static double run(const match_job& j, long long blocks) {
    return timed([&] {
      launch<match_line, Options...>(nullptr, static_cast<unsigned>(blocks), match_kernel<Options...>, j);
    });
  }
  static double run(const series_job& j, long long blocks) {
    return timed([&] {
      launch<series_line, Options...>(nullptr, static_cast<unsigned>(blocks), series_kernel<Options...>, j);
    });
  }

 private:
  template <class Start>
  static double timed(Start start) {
    gpu_clock clock;
    clock.start();
    start();
    return clock.stop();
  }
};

#endif

double total_bytes(const std::vector<count64>& elements, std::size_t each) {
  return static_cast<double>(std::accumulate(elements.begin(), elements.end(), count64{0}) * each);
}

// All values are even, so that odd ones can be put where they are wanted, and another can be missing.
constexpr std::uint32_t wanted = 0x5eed5eed, missing = 0xfffffff1;

template <class Where>
match_found find_match(const std::vector<std::uint32_t>& values) {
  typename Where::template array<std::uint32_t> data(values);
  const long long blocks = Where::match_blocks();
  match_found result;
  const auto pass = [&](std::uint32_t value, count64& first_match) {
    typename Where::template array<count64> first(std::vector<count64>{values.size()});
    typename Where::template array<count64> fetched(std::vector<count64>(static_cast<std::size_t>(blocks)));
    const double seconds = Where::run(
        match_job{data.data(), static_cast<long long>(values.size()), value, first.data(), fetched.data()},
        blocks);
    first_match = first.read()[0];
    return effort{total_bytes(fetched.read(), sizeof(std::uint32_t)), seconds};
  };
  count64 none = 0;
  (void)pass(missing, none);  // the first launch pays for loading code and raising clocks
  result.full = pass(missing, none);
  if (none != values.size()) throw std::runtime_error("a value was found that the array does not hold");
  result.early = pass(wanted, result.first);
  return result;
}

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

template <class Run>
auto run_at([[maybe_unused]] const place& here, Run&& run) {
#if defined(__CUDACC__)
  if (!here.on_host())
    return below(here.backend, [&](auto ceiling) { return run(on_gpu<decltype(ceiling)>{}); });
#endif
  return run(on_host{});
}

struct options {
  common_options common;
  std::uint64_t count = 1ull << 27, match = 12'345'678;
  std::uint64_t series = 256, length = 1ull << 19;
};

void report(const char* what, const effort& e, const effort& full) {
  std::printf("  %-12s read %12.3f MB (%5.1f %%) in %10.3f ms (%5.1f %%)\n", what, 1e-6 * e.bytes,
              100 * e.bytes / full.bytes, 1e3 * e.seconds, 100 * e.seconds / full.seconds);
}

void first_match(const options& given, const place& here) {
  std::vector<std::uint32_t> values(given.count);
  fill_coded<std::uint32_t>(values, 1);
  for (std::uint32_t& value : values) value &= ~1u;
  // more of them after the first, which must not win
  for (std::uint64_t k = given.match; k < given.count; k += 1'000'003) values[k] = wanted;
  const auto found = run_at(here, [&](auto where) { return find_match<decltype(where)>(values); });

  if (found.first < values.size())
    std::printf("first match at index %llu of %zu\n", found.first, values.size());
  else
    std::printf("no match among %zu values\n", values.size());
  report("until then", found.early, found.full);
  report("full pass", found.full, found.full);
  if (!given.common.verify) return;
  const auto expected =
      static_cast<count64>(std::find(values.begin(), values.end(), wanted) - values.begin());
  if (found.first != expected)
    throw std::runtime_error("the first match is wrong: expected index " + std::to_string(expected) +
                             ", got " + std::to_string(found.first));
  if (found.full.bytes != static_cast<double>(values.size() * sizeof(std::uint32_t)))
    throw std::runtime_error("the full pass did not read every value once");
  std::printf("verified: the same match as a search on the host\n");
}

// Series b falls by a factor of ratio_of(b) from tile to tile.
double ratio_of(std::uint64_t b, const options& given) {
  const double tiles = std::ceil(static_cast<double>(given.length) / series_tile);
  const double share = 0.05 + 0.85 * static_cast<double>(b) / static_cast<double>(given.series);
  return std::exp(std::log(tolerance) / (share * tiles));
}

struct expected_sum {
  double sum = 0;
  count64 tiles = 0;
};

// The same additions in the same order as the pipeline's, in plain loops.
expected_sum sum_plainly(const float* terms, std::size_t length, double within) {
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

void series_until_converged(const options& given, const place& here) {
  const std::size_t length = given.length;
  std::vector<float> terms(given.series * length);
  in_parallel(static_cast<long long>(given.series), [&](long long b) {
    const double step = std::pow(ratio_of(static_cast<std::uint64_t>(b), given), 1.0 / series_tile);
    double term = 1;
    for (std::size_t k = 0; k < length; ++k, term *= step)
      terms[static_cast<std::size_t>(b) * length + k] = static_cast<float>(term);
  });
  const auto summed =
      run_at(here, [&](auto where) { return sum_series<decltype(where)>(terms, given.series); });

  std::printf("%llu series of %zu terms, each summed until a tile of %d changes it by less than %g\n",
              static_cast<unsigned long long>(given.series), length, series_tile, tolerance);
  report("until then", summed.early, summed.full);
  report("full pass", summed.full, summed.full);
  if (!given.common.verify) return;
  for (std::size_t b = 0; b < given.series; ++b) {
    const float* const at = terms.data() + b * length;
    const expected_sum early = sum_plainly(at, length, tolerance), full = sum_plainly(at, length, -1);
    if (!same_bits{}(early.sum, summed.sums[b]) || early.tiles != summed.tiles[b] ||
        !same_bits{}(full.sum, summed.full_sums[b]))
      throw std::runtime_error("the sum of series " + std::to_string(b) + " is wrong");
    // what is left out is a geometric series again; twice its sum allows for rounding
    const double ratio = ratio_of(b, given);
    if (std::abs(full.sum - early.sum) > 2 * tolerance * full.sum * ratio / (1 - ratio))
      throw std::runtime_error("series " + std::to_string(b) + " stopped too early");
  }
  std::printf(
      "verified: every sum equals that of plain loops, bit for bit, and the full sum within what is left "
      "out\n");
}

}  // namespace penstock::examples

int main(int argc, char** argv) {
  using namespace penstock::examples;
  CLI::App app{
      "Pipelines that stop when they are done: a search for the first match, and series summed until they "
      "converge"};
  options given;
  add_count(app, "--count", given.count, 1, 1ull << 40, "values to search");
  add_count(app, "--match", given.match, 0, 1ull << 40,
            "index of the first match; there is none from --count on");
  add_count(app, "--series", given.series, 1, 1'000'000, "series to sum");
  add_count(app, "--length", given.length, 1, 1ull << 40, "terms of each series");
  add_common_options(app, given.common);
  return run_main(app, argc, argv, [&] {
    if (given.length > (1ull << 40) / given.series)
      throw std::invalid_argument(
          "--series times --length is more than 2^40 terms, the most that are allowed");
    const place here = choose_place(given.common.backend, given.common.device);
    std::printf("on %s, %s backend\n", here.name.c_str(), to_string(here.backend));
    first_match(given, here);
    series_until_converged(given, here);
    return 0;
  });
}
