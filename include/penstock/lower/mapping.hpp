// Who issues each stage on a backend, and how far it runs ahead. A mapping changes agents, skews, orders and modes of a
// plan, never its meaning: guards are derived afterwards, from the result.
#pragma once

#include <penstock/lower/table.hpp>
#include <penstock/plan/cycles.hpp>

namespace penstock {

enum class arrangement : unsigned char {
  uniform,     // one agent of all warps; copies are issued ahead by an elected lane or by all threads
  specialised  // one warp copies in, one copies out, the others compute; uniform where copies need many threads
               // (sm_80-)
};

// Warps: of each compute agent that does not state its own.
template <arrangement Arrangement, int Warps>
struct mapping {
  static_assert(Warps >= 1 && Warps <= 32, "a mapping gives a compute agent 1 to 32 warps");
  static constexpr penstock::arrangement arrangement = Arrangement;
  static constexpr int warps = Warps;
};
template <int Warps = 8>
using uniform = mapping<arrangement::uniform, Warps>;
template <int Warps = 8>
using specialised = mapping<arrangement::specialised, Warps>;
using sequential = uniform<1>;  // on the host: one thread, declared order; the oracle of every test

namespace detail {

template <int B>
constexpr bool copies_in(const stage_info<B>& s) { return s.mode == mode::async && !s.reads_data(); }
template <int B>
constexpr bool copies_out(const stage_info<B>& s) { return s.mode == mode::async && s.writes.empty(); }

template <int B>
constexpr engine_kind engine_of(const stage_info<B>& s, backend target) {
  if (s.source) return engine_kind::source;
  if (!copies_in(s) && !copies_out(s)) return engine_kind::body;
  switch (target) {
    case backend::hopper: return copies_in(s) ? engine_kind::bulk_in : engine_kind::bulk_out;
    case backend::ampere: return copies_in(s) ? engine_kind::async_copy : engine_kind::copy;
    default: return engine_kind::copy;
  }
}

// The place of each stage when one agent runs everything: copies in, copies out, bodies. With the copies first, one
// barrier at the top of the step serves the reuse of slots and the hand-over of data at once.
template <int S, int B>
constexpr void order_copies_first(plan<S, B>& p) {
  int place = 0;
  for (auto& s : p.stages) if (s.source) s.order = place++;
  for (auto& s : p.stages) if (copies_in(s)) s.order = place++;
  for (auto& s : p.stages) if (copies_out(s)) s.order = place++;
  for (auto& s : p.stages) if (!s.source && !copies_in(s) && !copies_out(s)) s.order = place++;
}

// Skews for one agent: copies in run `ahead` steps before their readers as far as their depth allows; a stage that
// reads what a body wrote runs `apart` steps after it, and at least one where its place in a step comes first.
template <int S, int B>
constexpr void skew_stages(plan<S, B>& p, int ahead, int apart) {
  int start[S > 0 ? S : 1]{};
  for (int r = 0; r < p.stages.size(); ++r) {
    if (copies_in(p.stages[r]) || p.stages[r].source) continue;
    start[r] = ahead;
    for (const read_access& read : p.stages[r].reads)
      for (int w = 0; w < r; ++w) {
        if (read.item || !p.stages[w].writes_to(read.buffer) || copies_in(p.stages[w])) continue;
        const int gap = p.stages[w].order > p.stages[r].order && apart == 0 ? 1 : apart;
        const int earliest = start[w] + gap + (read.window.last > 0 ? read.window.last : 0);
        if (earliest > start[r]) start[r] = earliest;
      }
  }
  for (int w = 0; w < p.stages.size(); ++w) {
    if (!copies_in(p.stages[w])) { p.stages[w].skew = start[w]; continue; }
    int latest = never;
    for (int r = 0; r < p.stages.size(); ++r)
      for (const read_access& read : p.stages[r].reads) {
        if (!p.stages[w].writes_to(read.buffer)) continue;
        // further ahead than this the copy would overwrite a slot before its reader's turn in program order
        int lead = p.buffers[read.buffer].depth + read.window.first - 1;
        if (lead > ahead) lead = ahead;
        if (start[r] - lead < latest) latest = start[r] - lead;
      }
    p.stages[w].skew = latest == never || latest < 0 ? 0 : latest;
  }
  // and the source before everybody who wants to know what to do
  for (auto& source : p.stages) {
    if (!source.source) continue;
    source.skew = never;
    for (const auto& s : p.stages)
      for (const read_access& read : s.reads)
        if (read.item && source.skew > s.skew - read.window.last - apart)
          source.skew = s.skew - read.window.last - apart;
  }
}

// A bulk copy out holds its slot until it has been read. With four slots or more, keep one back for that, so that the
// copy in which reuses the slot need not wait for the copy out issued just before it.
template <int S, int B>
constexpr plan<S, B> with_slack(plan<S, B> p, backend target) {
  if (target != backend::hopper) return p;
  for (const auto& s : p.stages)
    if (copies_out(s))
      for (const read_access& r : s.reads)
        if (p.buffers[r.buffer].depth >= 4) --p.buffers[r.buffer].depth;
  return p;
}

template <int S, int B>
constexpr void start_at_zero(plan<S, B>& p) {
  int least = never;
  for (const auto& s : p.stages) if (least > s.skew) least = s.skew;
  for (auto& s : p.stages) s.skew -= least;
}

// Everything in one agent. On the host that is the sequential program, in declared order; on a device the copies run as
// far ahead as the depths allow without deadlock.
template <int S, int B>
constexpr plan<S, B> in_one_agent(plan<S, B> p, int warps, backend target) {
  p.agents.count = 0;
  p.agents.add("block");
  int furthest = 0;
  for (const buffer_info& b : p.buffers) if (b.depth > furthest) furthest = b.depth;
  for (auto& s : p.stages) {
    s.agent = 0;
    s.warps = warps;
    for (const read_access& r : s.reads) furthest += r.window.last > 0 ? r.window.last : 0;
  }
  const plan<S, B> declared = p;
  const bool sequential = target == backend::host;
  if (!sequential) order_copies_first(p);
  for (int apart = sequential ? 0 : 1; apart >= 0; --apart)
    for (int k = 0; k <= furthest; ++k) {
      skew_stages(p, sequential ? k : furthest - k, apart);
      if (find_deadlock(with_slack(p, target)).found()) continue;
      start_at_zero(p);
      return p;
    }
  return declared;  // reported as a deadlock of the mapped plan
}

// Bodies of one agent that look ahead into what another body of it writes run that much later.
template <int S, int B>
constexpr void skew_bodies(plan<S, B>& p) {
  for (int r = 0; r < p.stages.size(); ++r)
    for (const read_access& read : p.stages[r].reads)
      for (int w = 0; w < r; ++w) {
        if (read.item || !p.stages[w].writes_to(read.buffer) || p.stages[w].agent != p.stages[r].agent) continue;
        const int earliest = p.stages[w].skew + (read.window.last > 0 ? read.window.last : 0);
        if (earliest > p.stages[r].skew) p.stages[r].skew = earliest;
      }
}

// Three agents by role; declared compute agents stay apart.
template <int S, int B>
constexpr plan<S, B> by_role(plan<S, B> p, int warps, backend target) {
  const plan<S, B> declared = p;
  p.agents.count = 0;
  const auto copies = [](const auto& s) { return copies_in(s) || copies_out(s) || s.source; };
  bool only_copies = true;
  for (const auto& s : p.stages) only_copies = only_copies && copies(s);
  if (only_copies && target != backend::host) return in_one_agent(declared, 1, target);
  const auto names_agent = [&](int body) {  // which by itself is an agent of the stage's name
    bool shared = false;
    for (int s = 0; s < p.stages.size(); ++s)
      shared = shared || (s != body && !copies(p.stages[s]) && declared.stages[s].agent == declared.stages[body].agent);
    return shared || declared.agents[declared.stages[body].agent] != p.stages[body].name;
  };
  bool of_copies[S > 0 ? S : 1]{};  // by agent: one of bodies may be named like one of copies, and is another
  for (int k = 0; k < p.stages.size(); ++k) {
    auto& s = p.stages[k];
    std::string_view role = names_agent(k) ? declared.agents[s.agent] : "compute";
    if (copies(s)) role = copies_in(s) || s.source ? "copy in" : "copy out";
    int a = 0;
    while (a < p.agents.size() && (p.agents[a] != role || of_copies[a] != copies(s))) ++a;
    if (a == p.agents.size()) p.agents.add(role);
    of_copies[a] = copies(s);
    s.agent = a;
  }
  // what one body of an agent states of its warps holds for all
  for (int a = 0; a < p.agents.size(); ++a) {
    int stated = 0;
    for (const auto& s : p.stages) if (s.agent == a && s.warps > stated) stated = s.warps;
    for (auto& s : p.stages) if (s.agent == a) s.warps = of_copies[a] ? 1 : stated > 0 ? stated : warps;
  }
  // where the run ends is found out instance by instance, which a declared skew would upset
  bool ends_early = false;
  for (const auto& s : p.stages) ends_early = ends_early || s.source || s.stops;
  for (auto& s : p.stages) if (ends_early) s.skew = 0;
  skew_bodies(p);
  // what all stages of an agent wait for before their first step, it would only idle through
  for (int a = 0; a < p.agents.size(); ++a) {
    int least = never;
    for (const auto& s : p.stages) if (s.agent == a && least > s.skew) least = s.skew;
    for (auto& s : p.stages) if (s.agent == a) s.skew -= least;
  }
  return p;
}

}  // namespace detail

// The plan as `target` runs it under this mapping.
template <class Mapping, int S, int B>
constexpr plan<S, B> map_plan(const plan<S, B>& p, backend target) {
  const bool has_roles = target == backend::hopper || target == backend::host;
  plan<S, B> m = has_roles && Mapping::arrangement == arrangement::specialised
                     ? detail::by_role(p, Mapping::warps, target)
                     : detail::in_one_agent(p, Mapping::warps, target);
  for (auto& s : m.stages) {
    s.prefetches = detail::copies_in(s) || s.source;
    if (target == backend::host) s.warps = 1;  // an agent is a thread
  }
  for (auto& s : m.stages) s.mode = is_async(detail::engine_of(s, target)) ? mode::async : mode::sync;
  return m;
}

}  // namespace penstock
