#include "analysis.hpp"

#include "utf8.hpp"

#include <algorithm>
#include <memory>

namespace penstock::command {
namespace {

constexpr int most_problems = 64;
// a read meets at most three hazards with each writer of its buffer, a write at most two with each other
// writer
constexpr int most_candidates = most_stages * most_accesses * most_stages * (3 + 2);

// Once names and accesses are right, how deep a ring must be is a question with an answer.
bool is_about_depth(std::string_view rule) { return rule == "depth" || rule == "window-depth" || rule == "deadlock"; }

void find_guards(const bounded_plan& p, analysis& out) {
  const auto set = std::make_unique<guard_set<most_candidates>>(derive_guards<most_candidates>(p));
  out.guards.assign(set->needed.begin(), set->needed.end());
  out.implied.assign(set->implied.begin(), set->implied.end());
  for (int s = 0; s < p.stages.size(); ++s)
    if (needs_drain(p, *set, s)) out.drain.push_back(s);
}

}  // namespace

analysis analyse(const parsed_plan& p, bool wants_period) {
  analysis out;
  for (const std::string& sentence : p.unknown_names) out.problems.push_back({"unknown-name", sentence});
  if (!out.ok()) return out;  // an access left out would look like another fault
  // a sentence cut to its capacity may end inside a character
  for (const problem& found : find_problems<most_problems>(p.value))
    out.problems.push_back({std::string(found.rule), printable(found.message.view())});
  if (std::all_of(out.problems.begin(), out.problems.end(), [](const refusal& r) { return is_about_depth(r.rule); }))
    out.smallest_depths = smallest_depths(p.value);
  if (!out.ok()) return out;
  find_guards(p.value, out);
  if (wants_period || p.has_timing) out.bound = critical_cycle(p.value);
  return out;
}

const char* hazard_key(hazard k) { return k == hazard::raw ? "raw" : k == hazard::war ? "war" : "waw"; }

}  // namespace penstock::command
