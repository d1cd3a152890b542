// Can the guards ever wait for each other? A pipeline is free of deadlock iff every cycle has a positive distance.
#pragma once

#include <penstock/plan/guards.hpp>

namespace penstock {

// One edge of a cycle: `to` cannot issue before `from`; a guard, or program order where guarded is false.
struct cycle_edge {
  int from = -1;
  int to = -1;
  int distance = 0;
  bool guarded = false;
  guard wait{};
};

template <int S>
struct cycle {
  list<cycle_edge, S + 1> edges{};
  int distance = 0;
  constexpr bool found() const { return !edges.empty(); }
};

namespace detail {

// waits[on][waiter] over all candidates: implied guards add no constraint, so they change no verdict.
template <int S, int B>
constexpr distances<S> candidate_distances(const plan<S, B>& p) {
  distances<S> d = program_distances(p);
  for_each_obligation(p, [&](const obligation& o) {
    int& in_force = d.waits[o.wait.on][o.wait.waiter];
    if (o.wait.distance < in_force) in_force = o.wait.distance;
  });
  return d;
}

template <int S, int B>
constexpr cycle_edge guarded_edge(const plan<S, B>& p, const distances<S>& d, int from, int to) {
  cycle_edge e{from, to, d.waits[from][to], true, {}};
  for_each_obligation(p, [&](const obligation& o) {
    if (o.wait.on == from && o.wait.waiter == to && o.wait.distance == e.distance) e.wait = o.wait;
  });
  return e;
}

template <int S, int B>
constexpr cycle_edge edge_between(const plan<S, B>& p, const distances<S>& d, int from, int to) {
  if (d.waits[from][to] < d.program[from][to]) return guarded_edge(p, d, from, to);
  return {from, to, d.program[from][to], false, {}};
}

}  // namespace detail

// A cycle of total distance <= 0, or an empty one.
template <int S, int B>
constexpr cycle<S> find_deadlock(const plan<S, B>& p) {
  const detail::distances<S> d = detail::candidate_distances(p);
  const int n = d.count;
  int shortest[S > 0 ? S : 1][S > 0 ? S : 1]{};
  int next[S > 0 ? S : 1][S > 0 ? S : 1]{};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      shortest[i][j] = d.program[i][j] < d.waits[i][j] ? d.program[i][j] : d.waits[i][j];
      next[i][j] = j;
    }
  const auto report = [&](int at) {
    cycle<S> c;
    int u = at;
    do {
      const cycle_edge e = detail::edge_between(p, d, u, next[u][at]);
      c.edges.add(e);
      c.distance += e.distance;
      u = e.to;
    } while (u != at && c.edges.size() <= S);
    return c;
  };
  for (int i = 0; i < n; ++i) if (shortest[i][i] <= 0) return report(i);
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < n; ++i) {
      if (shortest[i][k] == never) continue;
      for (int j = 0; j < n; ++j) {
        if (shortest[k][j] == never) continue;
        const int through = shortest[i][k] + shortest[k][j];
        if (through >= shortest[i][j]) continue;
        shortest[i][j] = through;
        next[i][j] = next[i][k];
        if (i == j && through <= 0) return report(i);
      }
    }
  return {};
}

inline constexpr int max_depth = 1 << 16;  // deeper rings than this are a mistake, not a plan

// The smallest depth of one buffer that works, every other buffer as declared; 0 when none does.
template <int S, int B>
constexpr int smallest_depth(plan<S, B> p, int buffer) {
  const auto works = [&](int depth) {
    p.buffers[buffer].depth = depth;
    return !find_deadlock(p).found();
  };
  if (!works(max_depth)) return 0;
  int low = 0, high = max_depth;  // fails at low (0 slots hold nothing), works at high
  // small answers are the rule: gallop first, so that a compiler evaluates few steps
  for (int step = 1; step < max_depth; step *= 2) {
    if (works(step)) { high = step; break; }
    low = step;
  }
  while (high - low > 1) {
    const int middle = low + (high - low) / 2;
    (works(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace penstock
