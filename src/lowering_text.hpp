// What a backend makes of a plan: the lowering table, agent by agent, in words and instructions.
#pragma once

#include "parse_plan.hpp"

#include <penstock/lower/backend.hpp>

#include <string>
#include <string_view>

namespace penstock::command {

// The plan must be sound. Throws input_error where lower_plan() does.
std::string lowering_text(const parsed_plan& p, std::string_view source, backend target, bool uniform_mapping);

}  // namespace penstock::command
