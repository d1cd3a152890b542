// Proves a pipeline under a mapping and a backend, for every trip count that matters and every way a run can stop.
#pragma once

#include <penstock/check/happens_before.hpp>

namespace penstock::check {

// Slots and phases repeat every two laps of the deepest ring: n up to 2 D + 2 covers the prologue, both parities of every
// slot, one wrap of each, and the drain.
inline int enough_iterations(const table& t) {
  int most = t.deepest();
  for (const checked_stage& s : t.stages) most = std::max(most, s.ring.slots);
  return 2 * most + 2;
}

struct findings {
  verdict worst;          // of the first scenario that fails
  scenario where;         // that scenario
  long long scenarios = 0;
  bool sound() const { return worst.sound(); }
  std::string report() const;
};

inline std::string findings::report() const {
  if (sound()) return "sound in " + std::to_string(scenarios) + " scenarios\n";
  std::string text(fault_name(worst.kind));
  text += ": " + worst.message + "\n  in";
  for (const run_case& r : where) {
    text += " a run of " + std::to_string(r.n) + " iterations";
    if (r.stop_at >= 0) text += " stopped at " + std::to_string(r.stop_at);
    text += &r == &where.back() ? ":\n" : ", then";
  }
  for (const std::string& line : worst.schedule) text += "    " + line + "\n";
  return text;
}

namespace detail {

class explorer {
 public:
  explicit explorer(const table& t) : t_(t) {}

  // False once a fault is found.
  bool run(const scenario& s) {
    const verdict v = decide(t_, s);
    if (v.feasible) ++found_.scenarios;
    if (v.sound()) return true;
    found_.worst = v;
    found_.where = s;
    return false;
  }
  // Every way the first run can stop: each instance, and every look at which the agent that copies in may find out. The
  // second run shows whether the first has left everything in step.
  bool run_with_stops(int n, int again) {
    if (!run({{n}})) return false;
    for (int stage = 0; stage < int(t_.stages.size()); ++stage) {
      if (!t_.stages[stage].stops) continue;
      for (int at = 0; at < n; ++at) {
        const int looks = t_.agents.size() > 1 ? n * int(t_.stages.size()) : 0;
        for (int look = -1; look < looks; ++look)
          if (!run({{n, stage, at, look}, {again}})) return false;
      }
    }
    return true;
  }
  findings take() { return std::move(found_); }

 private:
  const table& t_;
  findings found_;
};

}  // namespace detail

inline findings explore(const table& t, int most = -1) {
  detail::explorer e(t);
  if (most < 0) most = enough_iterations(t);
  for (int n = 0; n <= most; ++n)
    if (!e.run_with_stops(n, 1 + n % 3)) return e.take();
  // one object, run again: counters carry on from any position in the rings
  for (int first = 1; first <= most / 2; ++first)
    for (int second : {1, most / 2, most})
      if (!e.run({{first}, {second}, {1}})) return e.take();
  return e.take();
}

}  // namespace penstock::check
