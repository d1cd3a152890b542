// The rings of completion signals: how many slots each needs, how many arrivals an instance of it counts, and which may
// be signalled late.
#pragma once

#include <penstock/lower/barriers.hpp>

namespace penstock::detail {

// How many instances `leader` can start before `follower` has started its first, whatever the length of the run;
// `never` where nothing holds it back.
template <int S, int B, int G, int Steps>
constexpr int lead_over(const lowering<S, B, G, Steps>& l, int leader, int follower) {
  const distances<S> d = distances_of(l);
  int furthest = 1;  // no path that means anything is longer than all its edges
  for (int u = 0; u < d.count; ++u)
    for (int v = 0; v < d.count; ++v) if (d.waits[u][v] != never) furthest += at_least(d.waits[u][v], 1);
  for (const auto& s : l.mapped.stages) furthest += s.skew;
  if (!pair_implied(d, true, follower, leader, furthest)) return never;
  int lead = 0;  // what holds the leader back from one instance holds it back from all later ones
  while (lead < furthest) {
    const int middle = lead + (furthest - lead) / 2;
    if (pair_implied(d, true, follower, leader, middle)) furthest = middle;
    else lead = middle + 1;
  }
  return lead;
}

// Stages that share no data may still wait for each other's verdict on the stop. Where nothing then keeps the one
// waited for from running ahead without end, a guard of its own does, so far ahead that every buffer runs full before
// it.
template <int S, int B, int G, int Steps>
constexpr void bound_leads(lowering<S, B, G, Steps>& l) {
  int far = 1;
  for (const buffer_info& b : l.mapped.buffers) far += b.depth + 1;
  for (int k = 0, given = l.guards.size(); k < given; ++k) {
    const guard g = l.guards[k];
    if (g.buffer == verdict_buffer && l.mapped.stages[g.on].agent != l.mapped.stages[g.waiter].agent &&
        lead_over(l, g.on, g.waiter) == never)
      l.guards.add(guard{hazard::war, g.on, g.waiter, verdict_buffer, far});
  }
}

// No phase may be lapped while its waiter still waits: the fewest slots that keep the signaller from completing the
// next phase of a slot before every thread has passed the wait for this one.
template <int S, int B, int G, int Steps>
constexpr int slots_between_agents(const lowering<S, B, G, Steps>& l, const guard& g) {
  // the first instances of a look-ahead are waited for when the waiter starts, not ahead of it
  return at_least(g.distance, 0) + lead_over(l, g.on, g.waiter);
}
template <int S, int B, int G, int Steps>
constexpr int slots_within_agent(const lowering<S, B, G, Steps>& l, const guard& g) {
  // from the wait to the next copy into the slot there must be room for a barrier of the agent
  const bool waits_first = place_of(l.mapped, g.waiter) < place_of(l.mapped, g.on);
  return g.distance + l.mapped.stages[g.waiter].skew - l.mapped.stages[g.on].skew + (waits_first ? 0 : 1);
}

template <int S, int B, int G, int Steps>
constexpr void lower_rings(lowering<S, B, G, Steps>& l) {
  for (int s = 0; s < l.mapped.stages.size(); ++s) {
    signal_ring ring;
    const auto& stage = l.mapped.stages[s];
    for (const guard& g : l.guards) {
      if (g.on != s) continue;
      const bool crosses = l.mapped.stages[g.waiter].agent != stage.agent;
      if (!crosses && l.engines[s] != engine_kind::bulk_in) continue;
      const int depth = g.buffer == verdict_buffer ? 0 : l.mapped.buffers[g.buffer].depth;
      if (depth > ring.slots) ring.slots = depth;
      const int enough = crosses ? slots_between_agents(l, g) : slots_within_agent(l, g);
      if (enough > ring.slots) ring.slots = enough;
      // and no wait may reach back further than one lap, so that a fresh ring lets the first instances pass
      if (g.distance > ring.slots) ring.slots = g.distance;
    }
    if (ring.slots > 0) {
      ring.arrivals = runs_in_one_warp(l.engines[s]) ? 1 : stage.warps;
      ring.first = l.signal_count;
      l.signal_count += ring.slots;
    }
    l.rings.add(ring);
  }
}

// Would anybody wait for himself?
template <int S>
constexpr bool stalls(const distances<S>& d) {
  int shortest[S][S]{};
  for (int u = 0; u < d.count; ++u)
    for (int v = 0; v < d.count; ++v)
      shortest[u][v] = d.program[u][v] < d.waits[u][v] ? d.program[u][v] : d.waits[u][v];
  for (int k = 0; k < d.count; ++k)
    for (int u = 0; u < d.count; ++u)
      for (int v = 0; v < d.count; ++v)
        if (shortest[u][k] != never && shortest[k][v] != never && shortest[u][k] + shortest[k][v] < shortest[u][v])
          shortest[u][v] = shortest[u][k] + shortest[k][v];
  for (int u = 0; u < d.count; ++u) if (shortest[u][u] <= 0) return true;
  return false;
}

// May this copy out keep reading while the next one is prepared, its slot released one instance later, and the last
// one's only when all else is done? Not where somebody needs the slot before that.
template <int S, int B, int G, int Steps>
constexpr bool may_release_late(const lowering<S, B, G, Steps>& l, int stage) {
  distances<S> d = distances_of(l);
  bool late = false;
  for (int s = 0; s <= stage; ++s) {  // those before it have the first claim
    if (l.engines[s] != engine_kind::bulk_out || l.rings[s].slots == 0) continue;
    distances<S> later = d;
    late = true;
    for (int v = 0; v < d.count; ++v) {
      if (d.waits[s][v] == never) continue;
      later.waits[s][v] = d.waits[s][v] - 1;
      if (d.waits[s][v] <= 0) late = false;
    }
    late = late && !stalls(later);
    if (late) d = later;
  }
  return late;
}

}  // namespace penstock::detail
