// Where an agent of several threads needs its barrier: program order holds for each thread by itself, so whatever one
// thread hands to another within the agent must cross a barrier.
#pragma once

#include <penstock/lower/table.hpp>

namespace penstock::detail {

template <int S, int B, int G, int Steps>
constexpr distances<S> distances_of(const lowering<S, B, G, Steps>& l) {
  distances<S> d = program_distances(l.mapped);
  for (const guard& g : l.guards)
    if (g.distance < d.waits[g.on][g.waiter]) d.waits[g.on][g.waiter] = g.distance;
  return d;
}

// Position of a stage within a step of its agent.
template <int S, int B>
constexpr int place_of(const plan<S, B>& p, int stage) {
  const list<int, S> sequence = stages_in_order(p, p.stages[stage].agent);
  for (int k = 0; k < sequence.size(); ++k) if (sequence[k] == stage) return k;
  return -1;
}

template <int S, int B, int G, int Steps>
constexpr bool agent_issues_only(const lowering<S, B, G, Steps>& l, int agent) {
  for (int s = 0; s < l.mapped.stages.size(); ++s)
    if (l.mapped.stages[s].agent == agent && !runs_in_one_warp(l.engines[s])) return false;
  return true;
}

// A hand-over between threads of one agent: after `source`, `gap` steps later before `target` (places in a step).
struct hand_over {
  int source = 0;
  int target = 0;
  int gap = 0;
  constexpr bool crosses(int barrier) const {
    return gap > 1 || (gap == 1 ? barrier > source || barrier <= target : barrier > source && barrier <= target);
  }
};

template <int S>
struct barrier_plan {
  bool at[S > 0 ? S : 1]{};  // a barrier before the stage at this place
};

// Is this a wait of the one lane that issues both stages, which no other thread needs to learn of? Then no barrier need
// follow it. Whoever else uses the slot must be told by a signal that comes after the wait.
template <int S, int B, int G, int Steps>
constexpr bool waits_alone(const lowering<S, B, G, Steps>& l, const guard& g) {
  const auto& p = l.mapped;
  if (p.stages[g.waiter].agent != p.stages[g.on].agent || l.engines[g.on] != engine_kind::bulk_out ||
      !runs_in_one_warp(l.engines[g.waiter]))
    return false;
  distances<S> told = distances_of(l);
  for (int u = 0; u < told.count; ++u)
    for (int v = 0; v < told.count; ++v)
      if (runs_in_one_warp(l.engines[u]) && !runs_in_one_warp(l.engines[v])) told.program[u][v] = never;
  bool alone = true;
  for_each_obligation(p, [&](const obligation& o) {
    const int other = o.wait.waiter;
    if (alone && o.wait.on == g.on && p.stages[other].agent == p.stages[g.on].agent &&
        !runs_in_one_warp(l.engines[other]))
      alone = met(told, false, o);
  });
  return alone;
}

// Do the lanes of a single warp meet between these two anyway? They do before they signal a stage, and before the one
// of them that starts bulk copies, or asks the source, does so.
template <int S, int B, int G, int Steps>
constexpr bool warp_meets(const lowering<S, B, G, Steps>& l, int on, int waiter) {
  if (l.mapped.stages[on].warps != 1 || is_async(l.engines[on])) return false;
  return l.rings[on].slots > 0 || runs_in_one_warp(l.engines[waiter]);
}

// Does a vote on the stop, in which all threads of the agent meet, always lie between instance j of `on` and instance
// j + distance of `waiter`? A vote comes after its stage, and only in steps in which that has an instance.
template <int S, int B, int G, int Steps>
constexpr bool votes_between(const lowering<S, B, G, Steps>& l, int on, int waiter, int distance) {
  const auto& stages = l.mapped.stages;
  if (is_async(l.engines[on]) || runs_in_one_warp(l.engines[waiter])) return false;
  const int gap = stages[waiter].skew - stages[on].skew + distance;
  const int first = at_least(-distance, 0), last = at_least(distance, 0);  // j runs from `first` to n - 1 - `last`
  for (int v = 0; v < stages.size(); ++v) {
    if (!stages[v].stops || stages[v].agent != stages[on].agent) continue;
    const int place = place_of(l.mapped, v);
    for (int later = 0; later <= gap; ++later) {
      if (later == 0 && place < place_of(l.mapped, on)) continue;
      if (later == gap && place >= place_of(l.mapped, waiter)) continue;
      const int ahead = stages[on].skew + later - stages[v].skew;  // the vote is that on instance j + ahead
      if (first + ahead >= 0 && ahead <= last) return true;
    }
  }
  return false;
}

// The hand-overs that no signal between agents already carries to every thread.
template <int Capacity, int S, int B, int G, int Steps>
constexpr list<hand_over, Capacity> hand_overs(const lowering<S, B, G, Steps>& l, int agent) {
  list<hand_over, Capacity> all;
  const auto& p = l.mapped;
  distances<S> lanes = distances_of(l);
  distances<S> fenced = lanes;  // without what a vote alone hands over: a body's threads vote before they fence
  const auto add = [&](int on, int waiter, int distance) {
    if (warp_meets(l, on, waiter) || votes_between(l, on, waiter, distance)) return;
    all.add(hand_over{place_of(p, on), place_of(p, waiter), p.stages[waiter].skew - p.stages[on].skew + distance});
  };
  for (const guard& g : l.guards)
    if (p.stages[g.waiter].agent == agent && p.stages[g.on].agent == agent && l.engines[g.on] != engine_kind::bulk_in &&
        !waits_alone(l, g))
      add(g.on, g.waiter, g.distance);
  // all threads wait for a bulk copy by themselves, and must have done so before its signal's slot is used again
  for (const guard& g : l.guards)
    if (p.stages[g.waiter].agent == agent && p.stages[g.on].agent == agent && l.engines[g.on] == engine_kind::bulk_in)
      add(g.waiter, g.on, l.rings[g.on].slots - g.distance);
  for_each_obligation(p, [&](const obligation& o) {
    const int on = o.wait.on, waiter = o.wait.waiter, distance = o.wait.distance;
    if (p.stages[on].agent != agent || p.stages[waiter].agent != agent) return;
    if (l.engines[waiter] == engine_kind::source)
      return add(on, waiter, distance);  // items are read by every thread itself
    if (p.stages[on].mode == mode::async) return;  // its guard, or what implies that, was added above
    // one thread's completion says nothing of the others' until a wait that all of them signal for
    if (pair_implied(is_bulk(l.engines[waiter]) ? fenced : lanes, false, on, waiter, distance)) return;
    add(on, waiter, distance);
    if (distance < lanes.waits[on][waiter]) lanes.waits[on][waiter] = distance;
    if (distance < fenced.waits[on][waiter] && !votes_between(l, on, waiter, distance))
      fenced.waits[on][waiter] = distance;
  });
  return all;
}

// The fewest barriers a step that every hand-over crosses; among those the earliest places.
template <int S, int B, int G, int Steps>
constexpr barrier_plan<S> place_barriers(const lowering<S, B, G, Steps>& l, int agent, const list<int, S>& sequence) {
  constexpr int capacity = 4 * G + 1;
  const list<hand_over, capacity> all = hand_overs<capacity>(l, agent);
  barrier_plan<S> best;
  if (all.empty()) return best;
  int fewest = never;
  for (unsigned set = 1; set < (1u << sequence.size()); ++set) {
    int count = 0;
    for (int k = 0; k < sequence.size(); ++k) count += set >> k & 1u;
    if (count >= fewest) continue;
    bool enough = true;
    for (const hand_over& h : all) {
      bool crossed = false;
      for (int k = 0; k < sequence.size() && !crossed; ++k) crossed = (set >> k & 1u) && h.crosses(k);
      if (!crossed) { enough = false; break; }
    }
    if (!enough) continue;
    fewest = count;
    for (int k = 0; k < sequence.size(); ++k) best.at[k] = set >> k & 1u;
  }
  return best;
}

// The last barrier before the guard's waiter that its hand-over crosses: the wait itself goes just before it.
template <int S, int B, int G, int Steps>
constexpr int barrier_before(const lowering<S, B, G, Steps>& l, const barrier_plan<S>& barriers, const guard& g,
                             int places) {
  const int target = place_of(l.mapped, g.waiter);
  const int gap = l.mapped.stages[g.waiter].skew - l.mapped.stages[g.on].skew + g.distance;
  const hand_over h{place_of(l.mapped, g.on), target, gap};
  for (int k = target; k >= 0; --k) if (barriers.at[k] && h.crosses(k)) return k;
  for (int k = places - 1; k > target; --k) if (barriers.at[k] && h.crosses(k)) return k;
  return -1;
}

}  // namespace penstock::detail
