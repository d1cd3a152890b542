// Everything that explain and simulate say about a plan, worked out once by the library's own constexpr
// functions.
#pragma once

#include "parse_plan.hpp"

#include <penstock/plan/throughput.hpp>

#include <optional>
#include <string>
#include <vector>

namespace penstock::command {

struct refusal {
  std::string rule{};
  std::string message{};
};

struct analysis {
  std::vector<refusal> problems{};
  std::vector<guard> guards{};  // this and the rest only of a sound plan, but for smallest_depths
  std::vector<guard> implied{};
  std::vector<int> drain{};                         // stages
  list<int, most_buffers> smallest_depths{};        // 0 where no depth works; none where that means nothing
  std::optional<timed_cycle<most_stages>> bound{};  // where asked for, or where the plan gives times

  bool ok() const { return problems.empty(); }
};

analysis analyse(const parsed_plan& p, bool wants_period);

// "raw", "war" or "waw".
const char* hazard_key(hazard k);

}  // namespace penstock::command
