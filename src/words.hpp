// Guards, distances, cycles and times in the words that a person reads.
#pragma once

#include "analysis.hpp"

#include <string>
#include <vector>

namespace penstock::command {

// "`read` waits for `compute` 2 iterations back (WAR on `in`: slot reuse)"
std::string guard_sentence(const bounded_plan& p, const guard& g);

// One step of an argument or of a cycle: `to` cannot start before `from`.
std::string edge_text(const bounded_plan& p, const cycle_edge& e);

// "of the same iteration", "2 iterations back", "1 iteration ahead"
std::string which_iteration(int distance);

// "3 stages", "1 stage"
std::string counted(long long n, const char* noun);

// Four digits or so, in the unit that suits.
std::string time_text(double ns);

// "`a`, `b` and `c`"
std::string quoted_names(const bounded_plan& p, const std::vector<int>& stages);

}  // namespace penstock::command
