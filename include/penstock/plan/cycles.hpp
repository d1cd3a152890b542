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

// Which guard each guarded edge stands for.
template <int S, int B, int Edges>
constexpr void name_guards(const plan<S, B>& p, list<cycle_edge, Edges>& edges) {
  for_each_obligation(p, [&](const obligation& o) {
    for (cycle_edge& e : edges)
      if (e.guarded && o.wait.on == e.from && o.wait.waiter == e.to && o.wait.distance == e.distance) e.wait = o.wait;
  });
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
      const int v = next[u][at];
      const bool guarded = d.waits[u][v] < d.program[u][v];
      c.edges.add(cycle_edge{u, v, guarded ? d.waits[u][v] : d.program[u][v], guarded, {}});
      c.distance += c.edges[c.edges.size() - 1].distance;
      u = v;
    } while (u != at && c.edges.size() <= S);
    detail::name_guards(p, c.edges);
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

}  // namespace penstock
