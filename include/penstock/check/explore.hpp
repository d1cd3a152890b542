// Proves a pipeline under a mapping and a backend, for every trip count that matters and every way a run can stop:
//
//   const auto found = penstock::check::explore<line, specialised<8>, backend::hopper>();
//   if (!found.sound()) std::cerr << found.report();
#pragma once

#include <penstock/check/happens_before.hpp>
#include <penstock/run/options.hpp>

#include <algorithm>
#include <string>

namespace penstock::check {

// Slots and phases repeat every two laps of the deepest ring: n up to 2 D + 2 covers the prologue, both parities of
// every slot, one wrap of each, and the drain.
inline int enough_iterations(const table& t) {
  int most = t.deepest();
  for (const checked_stage& s : t.stages) most = std::max(most, s.ring.slots);
  return 2 * most + 2;
}

struct findings {
  verdict worst;            // of the first scenario that fails
  scenario where;           // that scenario
  long long scenarios = 0;  // that can happen
  bool sound() const { return worst.sound(); }

  std::string report() const {
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
};

namespace detail {

class explorer {
 public:
  explicit explorer(const table& t, findings& found) : t_(t), found_(found) {}

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
        if (!run({{n, stage, at}})) return false;  // the second would wait for what this one leaves under way
        const int looks = t_.agents.size() > 1 && t_.prefetches() ? n * int(t_.stages.size()) : 0;
        for (int look = -1; look < looks; ++look)
          if (!run({{n, stage, at, look}, {again}})) return false;
      }
    }
    return true;
  }
  bool run_all(int most) {
    for (int n = 0; n <= most; ++n)
      if (!run_with_stops(n, 1 + n % 3)) return false;
    // one object, run again: counters carry on from any position in the rings
    for (int first = 1; first <= most / 2; ++first)
      for (int second : {1, most / 2, most})
        if (!run({{first}, {second}, {1}})) return false;
    return true;
  }

 private:
  const table& t_;
  findings& found_;
};

}  // namespace detail

// Runs of 0 to `most` iterations, or as many as are enough for any number. A bulk copy may also be of a kind that
// threads have to move: both are tried.
inline findings explore(const table& given, int most = -1) {
  findings found;
  if (most < 0) most = enough_iterations(given);
  table t = given;
  bool bulk = false;
  for (const checked_stage& s : t.stages) bulk = bulk || is_bulk(s.engine);
  for (int by_threads = 0; by_threads <= (bulk ? 1 : 0) && found.sound(); ++by_threads) {
    t.bulk_by_threads = by_threads == 1;
    detail::explorer(t, found).run_all(most);
  }
  return found;
}

// Pipeline P as `Mapping` and `Target` run it; bit s of Stops is set if the body of the s-th stage may stop the run.
// What cannot run there does not compile, with the sentence that run() would give.
template <class P, class Mapping = specialised<>, backend Target = backend::hopper, unsigned long long Stops = 0>
findings explore(int most = -1) {
  namespace own = penstock::detail;
  if constexpr (accepted<P, own::target_of<Target>>) {
    if constexpr (accepted<own::mapped_plan<P, Mapping, Target, Stops>, own::target_of<Target>>)
      return explore(table_of(lowered<P, Mapping, Target, Stops>::table), most);
  }
  return {};
}

// The same for the functions that it would run, on<"stage">(f) for each stage. They are not called: what they take must
// suit the stages, and what they return tells who may stop.
template <class P, class Mapping = specialised<>, backend Target = backend::hopper, class... Bound>
  requires(sizeof...(Bound) > 0)
findings explore(int most, const Bound&...) {
  if constexpr (accepted_bindings<P, Bound::id...>)
    return explore<P, Mapping, Target, penstock::detail::program<P, Mapping, backend::host, Bound...>::stops>(most);
  return {};
}

}  // namespace penstock::check
