// A plan as a picture in text: stages in the lanes of their agents, buffers as wires between those that touch
// them.
#pragma once

#include "limits.hpp"

#include <string>

namespace penstock::command {

std::string draw_stages(const bounded_plan& p);

}  // namespace penstock::command
