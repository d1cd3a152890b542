// From a JSON plan to plan values.
#pragma once

#include "limits.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::command {

// A plan with the names it points into. Moving it keeps them in place; copying would not.
struct parsed_plan {
  std::deque<std::string> names{};
  bounded_plan value{};
  std::vector<std::string> unknown_names{};  // a sentence for each access to a buffer that is not declared
  bool has_timing = false;                   // some stage states issue or latency

  parsed_plan() = default;
  parsed_plan(parsed_plan&&) = default;
  parsed_plan& operator=(parsed_plan&&) = default;
};

// Throws input_error with the place of what is not a readable plan. The source is the file's name in
// messages.
parsed_plan parse_plan(std::string_view bytes, std::string_view source);

}  // namespace penstock::command
