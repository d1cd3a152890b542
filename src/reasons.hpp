// Why a guard was left out, and what would make a plan wait less.
#pragma once

#include "analysis.hpp"

#include <string>
#include <vector>

namespace penstock::command {

// The steps by which program order and the guards in force already order a guard that was left out: from the
// stage it would wait for to the one that would wait. Empty where no single chain does (a window that starts
// ahead).
std::vector<cycle_edge> why_implied(const bounded_plan& p, const std::vector<guard>& in_force, const guard& left_out);

// One sentence for each change of depth or skew that would keep a copy in flight where the plan drains them
// all.
std::vector<std::string> advice(const bounded_plan& p, const std::vector<guard>& in_force);

// The depths of single buffers that would shorten the period, in sentences; empty where no single buffer
// does.
std::vector<std::string> ways_to_lift(const bounded_plan& p, const timed_cycle<most_stages>& bound);

}  // namespace penstock::command
