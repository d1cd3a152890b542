// What `penstock simulate` prints and draws of one run.
#pragma once

#include "simulate.hpp"
#include "timeline.hpp"

#include <string>

namespace penstock::command {

timeline timeline_of(const bounded_plan& p, const std::vector<guard>& guards, const simulation& s);

// The figures, then the timeline. `assumed` says that the times are not the plan's own.
std::string simulation_text(const bounded_plan& p, const analysis& a, const simulation& s, bool assumed);

}  // namespace penstock::command
