// plan × mapping × backend -> lowering table.
#pragma once

#include <penstock/lower/fences.hpp>
#include <penstock/lower/mapping.hpp>
#include <penstock/lower/waits.hpp>

namespace penstock {
namespace detail {

// Guards left out rest on the order of a whole run. Some of it is missing where one run ends and the next begins: a
// look-ahead has nothing to wait for there, and skewed stages do not overlap.
template <int S, int B, int G, int Steps>
constexpr bool order_ends_with_the_run(const lowering<S, B, G, Steps>& l) {
  if (l.mapped.agents.size() < 2) return false;
  for (const guard& g : l.guards) if (g.distance < 0) return true;
  for (const auto& s : l.mapped.stages)
    for (const auto& t : l.mapped.stages) if (s.agent == t.agent && s.skew != t.skew) return true;
  return false;
}

// Do all agents meet once more between the end of a run and the next one's beginning? They do where one can stop, too.
template <int S, int B, int G, int Steps>
constexpr bool meets_after_runs(const lowering<S, B, G, Steps>& l) {
  bool stops = false;
  for (const auto& s : l.mapped.stages) stops = stops || s.stops;
  return stops || l.meets_between_runs;
}

template <int S, int B, int G, int Steps>
constexpr void lower_stage(const lowering<S, B, G, Steps>& l, const barrier_plan<S>& barriers, int s,
                           agent_program<Steps>& program) {
  const engine_kind engine = l.engines[s];
  for (int k = 0; k < l.guards.size(); ++k) {
    const guard& g = l.guards[k];
    if (g.waiter != s || !waits_on_signal(l, g)) continue;
    for (int ahead = 0; ahead < -g.distance - l.mapped.stages[s].skew; ++ahead)
      if (has_source(l) || !first_wait_implied(l, k, ahead))
        program.loop.add(step{op::wait_first, s, g.on, -ahead, 0, k});
    program.loop.add(step{op::wait_signal, s, g.on, g.distance, 0, k});
  }
  const int first = program.loop.size();
  for (int k = 0; k < l.guards.size(); ++k)
    if (l.guards[k].waiter == s && waits_alone(l, l.guards[k]))
      add_group_wait(program.loop, first, group_wait(l, k, place_of(l.mapped, s)));
  program.loop.add(step{op::issue, s, -1, 0, 0, -1});
  if (engine == engine_kind::async_copy || engine == engine_kind::bulk_out)
    program.loop.add(step{op::commit, s, -1, 0, 0, -1});
  if (l.mapped.stages[s].stops) program.loop.add(step{op::agree, s, -1, 0, 0, -1});
  if (engine == engine_kind::body && needs_proxy_fence(l, barriers, s))
    program.loop.add(step{op::fence, s, -1, 0, 0, -1});
  const signal_ring& ring = l.rings[s];
  if (engine == engine_kind::bulk_out) {
    if (ring.slots > 0) {
      const int lag = may_release_late(l, s) ? 1 : 0;
      const int after = place_of(l.mapped, s) + 1;
      program.loop.add(step{op::wait_reads, s, s, lag, younger_groups(l, s, s, lag, after), -1});
      program.loop.add(step{op::signal, s, -1, lag, 0, -1});
      // the last slots are for the next run; where the block meets before that, they may as well wait for the writes
      const bool hurries = lag > 0 && !meets_after_runs(l);
      if (hurries) {
        // the last instance of a run from a source carries the end and copies nothing
        if (!has_source(l)) program.drain.add(step{op::wait_reads, s, s, 0, 0, -1});
        program.drain.add(step{op::signal, s, -1, lag, 0, -1});
      }
      program.drain.add(step{op::wait_writes, s, s, 0, 0, -1});
      if (lag > 0 && !hurries) program.drain.add(step{op::signal, s, -1, lag, 0, -1});
    } else {
      program.drain.add(step{op::wait_writes, s, s, 0, 0, -1});
    }
  } else if (is_async(engine)) {
    // the last instances are in flight unless a reader always waited for them
    int unread = never;
    for (const guard& g : l.guards) if (g.on == s && g.distance < unread) unread = g.distance;
    if (unread > 0 && engine == engine_kind::async_copy) program.drain.add(step{op::wait_groups, s, s, 0, 0, -1});
    if (engine == engine_kind::bulk_in)
      for (int back = unread == never ? 0 : unread; back > 0; --back)
        program.drain.add(step{op::wait_signal, s, s, back, 0, -1});
  } else if (ring.slots > 0) {
    program.loop.add(step{op::signal, s, -1, 0, 0, -1});
  }
}

template <int S, int B, int G, int Steps>
constexpr agent_program<Steps> lower_agent(const lowering<S, B, G, Steps>& l, int agent) {
  agent_program<Steps> program;
  program.name = l.mapped.agents[agent];
  const list<int, S> sequence = stages_in_order(l.mapped, agent);
  for (int s : sequence) {
    program.warps = l.mapped.stages[s].warps;
    if (l.mapped.stages[s].skew > program.last_skew) program.last_skew = l.mapped.stages[s].skew;
  }
  const bool one_warp = program.warps == 1 && agent_issues_only(l, agent);
  const barrier_plan<S> barriers = one_warp ? barrier_plan<S>{} : place_barriers(l, agent, sequence);
  for (int place = 0; place < sequence.size(); ++place) {
    if (barriers.at[place]) {
      const int first = program.loop.size();
      for (int k = 0; k < l.guards.size(); ++k) {
        const guard& g = l.guards[k];
        if (l.mapped.stages[g.waiter].agent == agent && !waits_on_signal(l, g) && !waits_alone(l, g) &&
            barrier_before(l, barriers, g, sequence.size()) == place)
          add_group_wait(program.loop, first, group_wait(l, k, place));
      }
      program.loop.add(step{op::barrier, -1, -1, 0, 0, -1});
    }
    lower_stage(l, barriers, sequence[place], program);
  }
  return program;
}

// Warps of compute agents come first, so that their ranks start at thread 0.
template <int S, int B, int G, int Steps>
constexpr void place_warps(lowering<S, B, G, Steps>& l) {
  for (int copies = 0; copies < 2; ++copies)
    for (int a = 0; a < l.agents.size(); ++a) {
      if (agent_issues_only(l, a) != (copies == 1)) continue;
      l.agents[a].first_warp = l.warps;
      l.warps += l.agents[a].warps;
    }
}

}  // namespace detail

// How many guards a table can have: every candidate, and a bound for each that waits for a verdict.
template <int S, int B>
constexpr int room_for_guards(const plan<S, B>& p) {
  int guards = 1;
  detail::for_each_obligation(p, [&](const obligation& o) { guards += o.wait.buffer == verdict_buffer ? 2 : 1; });
  return guards;
}

template <int S, int B>
constexpr int most_steps(const plan<S, B>& p) {
  int steps = 4 * count_candidates(p) + 8 * p.stages.size() + 8;
  // one more for each iteration that a window looks ahead, to begin with, or stays behind, to drain
  int unread[S > 0 ? S : 1]{};
  detail::for_each_obligation(p, [&](const obligation& o) {
    const guard& g = o.wait;
    if (g.kind == hazard::raw) steps += g.distance < 0 ? -g.distance : g.distance;
    if (g.kind == hazard::raw && g.buffer != verdict_buffer) unread[g.on] = -1;
    else if (g.kind == hazard::waw && unread[g.on] >= 0 && g.distance > unread[g.on]) unread[g.on] = g.distance;
  });
  for (int s = 0; s < p.stages.size(); ++s)  // what nobody reads stays in flight for a lap
    if (detail::copies_in(p.stages[s]) && unread[s] > 0) steps += unread[s];
  return steps;
}

// The plan must be free of problems, and free of deadlock as mapped.
template <int Guards, int Steps, class Mapping, int S, int B>
constexpr lowering<S, B, Guards, Steps> lower(const plan<S, B>& p, backend target) {
  static_assert(Guards > 0, "room for the guards: room_for_guards(p)");
  lowering<S, B, Guards, Steps> l;
  l.target = target;
  l.mapped = map_plan<Mapping>(p, target);
  for (const auto& s : p.stages) l.engines.add(detail::engine_of(s, target));
  for (const guard& g : derive_guards<Guards>(l.mapped).needed) l.guards.add(g);
  detail::bound_leads(l);
  detail::lower_rings(l);
  l.meets_between_runs = detail::order_ends_with_the_run(l);
  for (int a = 0; a < l.mapped.agents.size(); ++a) l.agents.add(detail::lower_agent(l, a));
  detail::place_warps(l);
  return l;
}

}  // namespace penstock
