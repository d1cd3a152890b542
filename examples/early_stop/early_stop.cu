// Two searches that know when they are done: for the first match in an array, and for the sum of each of many
// series. A body returns penstock::stop; what its block has read ahead is drained, and nothing more is read.
//
//   read ──▶ values[4] ──▶ compare          read ──▶ terms[4] ──▶ add ──▶ sums[2] ──▶ decide
//   (async)                (sync, stops)    (async)               (sync)              (sync, stops)
//
// match.hpp and series.hpp hold the pipelines, first_match.hpp and convergence.hpp the searches. What was read,
// and in which time, is reported beside a pass that never stops.
#include "convergence.hpp"
#include "first_match.hpp"
#include "support/cli.hpp"

namespace penstock::examples {

struct options {
  common_options common;
  std::uint64_t count = 1ull << 27, match = 12'345'678;
  std::uint64_t series = 256, length = 1ull << 19;
};

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
    first_match(given.count, given.match, here, given.common.verify);
    series_until_converged(given.series, given.length, here, given.common.verify);
    return 0;
  });
}
