// How deep must a ring be: for the plan to work at all, and to run as fast as its stages allow?
#pragma once

#include <penstock/plan/throughput.hpp>

#include <limits>

namespace penstock {

inline constexpr int max_depth = 1 << 16;                             // deeper rings are a mistake, not a plan
inline constexpr int automatic = std::numeric_limits<int>::min();     // a depth that the stages' times decide

namespace detail {

// What a ring adds to the waits: [on][waiter], the distance less the depth; never where it adds nothing.
template <int S>
struct ring {
  int reuse[S > 0 ? S : 1][S > 0 ? S : 1]{};
};

// The candidate guards, apart from those whose distance is a matter of depth.
template <int S, int B>
struct open_rings {
  distances<S> fixed;
  ring<S> rings[B > 0 ? B : 1]{};
};

template <int S, int B>
constexpr open_rings<S, B> open_all(plan<S, B> p) {
  for (buffer_info& b : p.buffers) b.depth = 1;  // what is declared, be it 0, must not pass for a hazard without depth
  open_rings<S, B> open{program_distances(p)};
  for (ring<S>& r : open.rings) for (auto& on : r.reuse) for (int& waiter : on) waiter = never;
  for_each_obligation(p, [&](const obligation& o) {
    const guard& g = o.wait;
    int& in_force = o.reuse != 0 ? open.rings[g.buffer].reuse[g.on][g.waiter] : open.fixed.waits[g.on][g.waiter];
    if (g.distance - o.reuse < in_force) in_force = g.distance - o.reuse;
  });
  return open;
}

template <int S>
constexpr void close(distances<S>& d, const ring<S>& r, int slots) {
  for (int u = 0; u < d.count; ++u)
    for (int v = 0; v < d.count; ++v)
      if (r.reuse[u][v] != never && r.reuse[u][v] + slots < d.waits[u][v]) d.waits[u][v] = r.reuse[u][v] + slots;
}

// Raises the depth of a ring from `slots` until no cycle is slower than the limit. Each slow cycle gives a bound that
// the answer must meet, so the answer is the smallest. Without that ring, no cycle may be slower.
template <int S>
constexpr int deepen(const timed_graph<S>& without, const ring<S>& r, int slots, pace limit) {
  for (;;) {
    timed_graph<S> g = without;
    close(g.steps, r, slots);
    const list<timed_edge, S> slower = slower_cycle(g, limit);
    if (slower.empty()) return slots;
    int uses = 0;
    for (const timed_edge& e : slower)
      if (e.guarded && g.steps.waits[e.from][e.to] < without.steps.waits[e.from][e.to]) ++uses;
    const pace at = pace_of(g, slower);
    const wide late = at.time * limit.distance - limit.time * at.distance;
    const wide gain = limit.time * uses;
    const wide more = (late + gain - 1) / gain;
    if (slots + more > max_depth) return max_depth + 1;
    slots += static_cast<int>(more);
  }
}

// With one unit of time a step, a cycle is slower than S + 1 units an iteration iff its distance is not positive.
template <int S>
constexpr timed_graph<S> unit_times(const distances<S>& steps) {
  timed_graph<S> g{steps};
  for (int s = 0; s < steps.count; ++s) g.occupies[s] = g.completes[s] = 1;
  return g;
}
template <int S>
inline constexpr pace live{S + 1, 1};

// The smallest depth of a ring that leaves no deadlock; 0 where none does.
template <int S>
constexpr int least_slots(const distances<S>& others, const ring<S>& r) {
  const timed_graph<S> g = unit_times(others);
  if (!slower_cycle(g, live<S>).empty()) return 0;
  const int slots = deepen(g, r, 1, live<S>);
  return slots > max_depth ? 0 : slots;
}

template <int S, int B>
constexpr int smallest_depth(const plan<S, B>& p, const open_rings<S, B>& open, int buffer) {
  distances<S> others = open.fixed;
  for (int b = 0; b < p.buffers.size(); ++b)
    if (b != buffer && p.buffers[b].depth != automatic) close(others, open.rings[b], p.buffers[b].depth);
  return least_slots(others, open.rings[buffer]);
}

}  // namespace detail

// The smallest depth of one buffer that works, every other buffer as declared, or of any depth where that is
// automatic; 0 when none does.
template <int S, int B>
constexpr int smallest_depth(const plan<S, B>& p, int buffer) {
  return detail::smallest_depth(p, detail::open_all(p), buffer);
}

// The same for every buffer. Where none works because other buffers are too shallow as well, those count as just deep
// enough for themselves.
template <int S, int B>
constexpr list<int, B> smallest_depths(const plan<S, B>& p) {
  const detail::open_rings<S, B> open = detail::open_all(p);
  plan<S, B> raised = p;
  for (int b = 0; b < p.buffers.size(); ++b) {
    const int least = detail::least_slots(open.fixed, open.rings[b]);
    if (least > raised.buffers[b].depth) raised.buffers[b].depth = least;
  }
  list<int, B> depths;
  for (int b = 0; b < p.buffers.size(); ++b) {
    const int as_declared = detail::smallest_depth(p, open, b);
    depths.add(as_declared > 0 ? as_declared : detail::smallest_depth(raised, open, b));
  }
  return depths;
}

// Gives each automatic buffer a depth such that the period is the target, or the least that any depths reach where
// that is longer, and no depth can be lowered; buffers declared first are kept smallest. Changes nothing and returns
// false where the stages' times set no period.
template <int S, int B>
constexpr bool choose_automatic_depths(plan<S, B>& p, double target_ns = 0) {
  const auto is_open = [&](int b) { return p.buffers[b].depth == automatic; };
  bool any = false;
  for (int b = 0; b < p.buffers.size(); ++b) any = any || is_open(b);
  if (!any) return true;
  plan<S, B> chosen = p;
  for (int b = 0; b < p.buffers.size(); ++b) if (is_open(b)) chosen.buffers[b].depth = 1;
  const detail::open_rings<S, B> open = detail::open_all(chosen);
  detail::distances<S> steps = open.fixed;
  for (int b = 0; b < p.buffers.size(); ++b)
    if (!is_open(b)) detail::close(steps, open.rings[b], p.buffers[b].depth);

  if (!detail::slower_cycle(detail::unit_times(steps), detail::live<S>).empty()) {
    p = chosen;  // no depth of these buffers helps: the deadlock is what to report
    return true;
  }
  const detail::timed_graph<S> fastest = detail::time_stages(chosen, steps);
  detail::pace limit{detail::femtoseconds(target_ns), 1};
  if (!detail::slower_cycle(fastest, limit).empty())
    limit = detail::pace_of(fastest, detail::slowest_cycle(fastest));
  if (limit.time == 0) return false;

  for (int b = 0; b < p.buffers.size(); ++b) {
    if (!is_open(b)) continue;
    const int works = detail::deepen(detail::unit_times(steps), open.rings[b], 1, detail::live<S>);
    chosen.buffers[b].depth = detail::deepen(detail::time_stages(chosen, steps), open.rings[b], works, limit);
    if (chosen.buffers[b].depth > max_depth) break;  // no ring is that deep: that is what to report
    detail::close(steps, open.rings[b], chosen.buffers[b].depth);
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
