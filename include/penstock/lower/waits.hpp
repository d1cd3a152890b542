// The waits of an agent: on signals, and on commit groups with how many of them may stay pending.
#pragma once

#include <penstock/lower/rings.hpp>

namespace penstock::detail {

// How many commit groups of this engine are younger than instance i - distance of `on`, seen just before `place`,
// `earlier` steps before the one at which instance i of `waiter` runs. Every instance commits, also an empty or
// predicated-off one, so the count is the same in every step.
template <int S, int B, int G, int Steps>
constexpr int younger_groups(const lowering<S, B, G, Steps>& l, int on, int waiter, int distance, int place,
                             int earlier = 0) {
  const auto& stages = l.mapped.stages;
  const auto position = [&](int s) { return place_of(l.mapped, s); };
  int count = 0;
  for (int g = 0; g < stages.size(); ++g) {
    if (stages[g].agent != stages[on].agent || l.engines[g] != l.engines[on]) continue;
    // relative to i: the last instance of g committed before `place`, and the first one committed after the group of
    // `on`
    const int last = stages[waiter].skew - earlier - stages[g].skew - (position(g) < place ? 0 : 1);
    const int first = -distance + stages[on].skew - stages[g].skew + (position(g) > position(on) ? 0 : 1);
    if (last >= first) count += last - first + 1;
  }
  return count;
}

// Waits of one stage that need no barrier after them: each waiting thread sees the signal for itself.
template <int S, int B, int G, int Steps>
constexpr bool waits_on_signal(const lowering<S, B, G, Steps>& l, const guard& g) {
  return l.mapped.stages[g.waiter].agent != l.mapped.stages[g.on].agent || l.engines[g.on] == engine_kind::bulk_in;
}

// The wait of guard `guard_index`, executed just before `place` in a step.
template <int S, int B, int G, int Steps>
constexpr step group_wait(const lowering<S, B, G, Steps>& l, int guard_index, int place) {
  const guard& g = l.guards[guard_index];
  step s;
  s.what = l.engines[g.on] == engine_kind::async_copy ? op::wait_groups : op::wait_reads;
  s.stage = g.waiter;
  s.on = g.on;
  s.distance = g.distance;
  const int earlier = place > place_of(l.mapped, g.waiter) ? 1 : 0;  // then its barrier is that of the step before
  s.count = younger_groups(l, g.on, g.waiter, g.distance, place, earlier);
  s.guard = guard_index;
  return s;
}

// Groups complete in order, so of several waits at one point the one that leaves the fewest pending serves for all.
template <int Steps>
constexpr void add_group_wait(list<step, Steps>& steps, int first, const step& wait) {
  for (int k = first; k < steps.size(); ++k) {
    if (steps[k].what != wait.what) continue;
    if (wait.count < steps[k].count) steps[k] = wait;
    return;
  }
  steps.add(wait);
}

// Where a source says how far the run goes, each wait of a look-ahead lets the next one find out whether there is
// anything to wait for: none of them can go.
template <int S, int B, int G, int Steps>
constexpr bool has_source(const lowering<S, B, G, Steps>& l) {
  for (const engine_kind e : l.engines) if (e == engine_kind::source) return true;
  return false;
}

// A look-ahead wait takes one instance a step. Those whose step would come before the first are owed at once, and only
// those: in one agent the others have not been issued yet. Does something else in force wait for this one of them?
template <int S, int B, int G, int Steps>
constexpr bool first_wait_implied(const lowering<S, B, G, Steps>& l, int guard_index, int ahead) {
  const guard& g = l.guards[guard_index];
  distances<S> d = distances_of(l);
  int& strongest = d.waits[g.on][g.waiter];
  strongest = never;
  for (int k = 0; k < l.guards.size(); ++k)
    if (k != guard_index && l.guards[k].on == g.on && l.guards[k].waiter == g.waiter &&
        l.guards[k].distance < strongest)
      strongest = l.guards[k].distance;
  return pair_implied(d, l.mapped.stages[g.on].mode == mode::sync, g.on, g.waiter, -ahead);
}

}  // namespace penstock::detail
