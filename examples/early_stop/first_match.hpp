// The search for the first match, beside a pass that finds nothing and so reads everything.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "places.hpp"
#include "support/pattern.hpp"

namespace penstock::examples {

struct match_found {
  count64 first = 0;
  effort early, full;
};

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

// Searches `count` values of which `match` and some later ones are the wanted one.
inline void first_match(std::uint64_t count, std::uint64_t match, const place& here, bool verify) {
  std::vector<std::uint32_t> values(count);
  fill_coded<std::uint32_t>(values, 1);
  for (std::uint32_t& value : values) value &= ~1u;
  // more of them after the first, which must not win
  for (std::uint64_t k = match; k < count; k += 1'000'003) values[k] = wanted;
  const auto found = run_at(here, [&](auto where) { return find_match<decltype(where)>(values); });

  if (found.first < values.size())
    std::printf("first match at index %llu of %zu\n", found.first, values.size());
  else
    std::printf("no match among %zu values\n", values.size());
  report("until then", found.early, found.full);
  report("full pass", found.full, found.full);
  if (!verify) return;
  const auto expected =
      static_cast<count64>(std::find(values.begin(), values.end(), wanted) - values.begin());
  if (found.first != expected)
    throw std::runtime_error("the first match is wrong: expected index " + std::to_string(expected) +
                             ", got " + std::to_string(found.first));
  if (found.full.bytes != static_cast<double>(values.size() * sizeof(std::uint32_t)))
    throw std::runtime_error("the full pass did not read every value once");
  std::printf("verified: the same match as a search on the host\n");
}

}  // namespace penstock::examples
