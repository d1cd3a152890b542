// What `penstock explain` prints and draws of one plan.
#pragma once

#include "analysis.hpp"

#include <string>

namespace penstock::command {

std::string explain_json(const parsed_plan& p, const analysis& a);
std::string explain_text(const parsed_plan& p, const analysis& a);
std::string graph_svg(const parsed_plan& p, const analysis& a);

}  // namespace penstock::command
