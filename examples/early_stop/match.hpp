// The first of many values that equals a given one. A block stops when it has found one, or when somebody has
// found one that lies before all it has left.
#pragma once

#include <penstock/run/run.hpp>

#include <cstdint>

#include "shared.hpp"

namespace penstock::examples {

constexpr long long match_tile = 2048;

// clang-format off
using match_line = pipeline<
    buffer<"values", std::uint32_t[match_tile], depth<4>>,
    stage<"read", async, writes<"values">>,
    stage<"compare", sync, reads<"values">>>;
// clang-format on

struct match_job {
  const std::uint32_t* values = nullptr;
  long long count = 0;
  std::uint32_t wanted = 0;
  count64* first = nullptr;    // `count` until there is a match
  count64* fetched = nullptr;  // values that each block has read
};

// Block `b` of `blocks` takes tiles b, b + blocks, …: all blocks advance through the array together.
template <class... Options>
PENSTOCK_HD void match_block(const match_job& j, long long b, long long blocks) {
  const auto at = [&](long long i) { return (b + i * blocks) * match_tile; };
  const auto size = [&](long long i) { return j.count - at(i) < match_tile ? j.count - at(i) : match_tile; };
  count64 fetched = 0;
  // clang-format off
  run<match_line, Options...>(((j.count + match_tile - 1) / match_tile - b + blocks - 1) / blocks,
      on<"read">([&](long long i) {
        fetched += static_cast<count64>(size(i));
        return from(j.values + at(i), size(i));
      }),
      on<"compare">([&](const auto& group, const auto& values, long long i) {
        bool found = false;
        for (int k = group.rank(); k < size(i) && !found; k += group.size()) {
          found = values[k] == j.wanted;
          if (found) lower(*j.first, static_cast<count64>(at(i) + k));
        }
        // one thread's word is enough: the library makes the group agree
        const bool too_late = group.rank() == 0 && look_at(*j.first) < static_cast<count64>(at(i + 1));
        return found || too_late ? stop : go;
      }));
  // clang-format on
  raise(j.fetched[b], fetched);
}

}  // namespace penstock::examples
