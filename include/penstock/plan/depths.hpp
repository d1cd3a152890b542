// How deep must the rings be for the pipeline to run as fast as its stages allow?
#pragma once

#include <penstock/plan/throughput.hpp>

namespace penstock {

inline constexpr int automatic = std::numeric_limits<int>::min();  // a depth that the stages' times decide

namespace detail {

// The candidate guards, apart from those that only the depths still to be chosen put at a distance.
template <int S, int B>
struct open_depths {
  distances<S> fixed;
  int reuse[B > 0 ? B : 1][S > 0 ? S : 1][S > 0 ? S : 1]{};  // [buffer][on][waiter]: the distance less the depth
};

template <int S, int B>
constexpr open_depths<S, B> leave_open(const plan<S, B>& p, const bool (&open)[B > 0 ? B : 1]) {
  open_depths<S, B> d{program_distances(p)};
  for (auto& buffer : d.reuse) for (auto& on : buffer) for (int& waiter : on) waiter = never;
  for_each_obligation(p, [&](const obligation& o) {
    const guard& g = o.wait;
    const bool by_depth = o.reuse != 0 && open[g.buffer];
    int& in_force = by_depth ? d.reuse[g.buffer][g.on][g.waiter] : d.fixed.waits[g.on][g.waiter];
    const int distance = by_depth ? g.distance - o.reuse : g.distance;
    if (distance < in_force) in_force = distance;
  });
  return d;
}

// Raises the depth behind `reuse` from `slots` until no cycle is slower than the limit. Each slow cycle gives a
// bound that the answer must meet, so the answer is the smallest. Without that ring, no cycle may be slower.
template <int S>
constexpr int deepen(timed_graph<S> g, const int (&reuse)[S > 0 ? S : 1][S > 0 ? S : 1], int slots, pace limit) {
  const distances<S> without = g.steps;
  for (;; g.steps = without) {
    for (int u = 0; u < g.steps.count; ++u)
      for (int v = 0; v < g.steps.count; ++v)
        if (reuse[u][v] != never && reuse[u][v] + slots < without.waits[u][v])
          g.steps.waits[u][v] = reuse[u][v] + slots;
    const list<timed_edge, S> slower = slower_cycle(g, limit);
    if (slower.empty()) return slots;
    int uses = 0;
    for (const timed_edge& e : slower)
      if (e.guarded && g.steps.waits[e.from][e.to] < without.waits[e.from][e.to]) ++uses;
    const pace at = pace_of(g, slower);
    const wide late = at.time * limit.distance - limit.time * at.distance;
    const wide gain = limit.time * uses;
    const wide more = (late + gain - 1) / gain;
    if (more > max_depth) return max_depth + 1;
    slots += static_cast<int>(more);
    if (slots > max_depth) return max_depth + 1;
  }
}

}  // namespace detail

// Gives each automatic buffer a depth such that the period is the target, or the least that any depths reach where
// that is longer, and no depth can be lowered; buffers declared first are kept smallest. Changes nothing and returns
// false where the stages' times set no period.
template <int S, int B>
constexpr bool choose_automatic_depths(plan<S, B>& p, double target_ns = 0) {
  bool open[B > 0 ? B : 1]{}, any = false;
  plan<S, B> chosen = p;
  for (int b = 0; b < p.buffers.size(); ++b) {
    if (p.buffers[b].depth != automatic) continue;
    open[b] = any = true;
    chosen.buffers[b].depth = 1;
  }
  if (!any) return true;
  const detail::open_depths<S, B> depths = detail::leave_open(chosen, open);
  detail::timed_graph<S> g = detail::time_stages(chosen, depths.fixed);

  // with one unit of time an edge, a cycle is slower than S + 1 units an iteration iff its distance is not positive
  detail::timed_graph<S> steps{g.steps};
  for (int s = 0; s < S; ++s) steps.occupies[s] = steps.completes[s] = 1;
  const detail::pace live{S + 1, 1};
  if (!detail::slower_cycle(steps, live).empty()) {
    p = chosen;  // no depth of these buffers helps: the deadlock is what to report
    return true;
  }
  detail::pace limit{detail::femtoseconds(target_ns), 1};
  if (!detail::slower_cycle(g, limit).empty()) limit = detail::pace_of(g, detail::slowest_cycle(g));
  if (limit.time == 0) return false;

  for (int b = 0; b < p.buffers.size(); ++b) {
    if (!open[b]) continue;
    const int live_slots = detail::deepen(steps, depths.reuse[b], 1, live);
    const int slots = detail::deepen(g, depths.reuse[b], live_slots, limit);
    chosen.buffers[b].depth = slots;
    for (int u = 0; u < p.stages.size(); ++u)
      for (int v = 0; v < p.stages.size(); ++v) {
        const int reuse = depths.reuse[b][u][v];
        if (reuse == never || reuse + slots >= g.steps.waits[u][v]) continue;
        g.steps.waits[u][v] = steps.steps.waits[u][v] = reuse + slots;
      }
  }
  p = chosen;
  return true;
}

// The same for every buffer of the plan, whatever its depth; empty where the stages' times set no period.
template <int S, int B>
constexpr list<int, B> choose_depths(plan<S, B> p, double target_ns = 0) {
  list<int, B> depths;
  for (buffer_info& b : p.buffers) b.depth = automatic;
  if (!choose_automatic_depths(p, target_ns)) return depths;
  for (const buffer_info& b : p.buffers) depths.add(b.depth);
  return depths;
}

}  // namespace penstock
