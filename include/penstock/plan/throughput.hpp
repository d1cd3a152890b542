// How fast can a plan run, what bounds it, and how deep must its rings be for that?
// The steady period is the maximum cycle ratio: no iteration can be shorter than a cycle's time over its distance.
#pragma once

#include <penstock/plan/cycles.hpp>

#include <limits>

namespace penstock {

inline constexpr double max_time_ns = 1e12;  // a quarter of an hour; longer stages are a slip of the pen

// One step round a cycle; it takes the time that stage `from` needs to complete (a guard) or to free its agent.
template <int S>
struct timed_cycle {
  list<cycle_edge, S> edges{};
  double time_ns = 0;
  int distance = 1;
  constexpr bool found() const { return !edges.empty(); }
  constexpr double period_ns() const {
    return distance > 0 ? time_ns / distance : std::numeric_limits<double>::infinity();
  }
};

namespace detail {

// Ratios are compared as products of whole femtoseconds and distances: exactly, whatever the magnitudes.
__extension__ typedef __int128 wide;

constexpr wide femtoseconds(double ns) {
  if (!(ns > 0)) return 0;
  return static_cast<long long>((ns < max_time_ns ? ns : max_time_ns) * 1e6 + 0.5);
}

template <int B>
constexpr double completion_ns(const stage_info<B>& s) {
  return s.mode == mode::sync && s.issue_ns > s.latency_ns ? s.issue_ns : s.latency_ns;
}

template <int B>
constexpr double occupancy_ns(const stage_info<B>& s) {
  return s.mode == mode::sync ? completion_ns(s) : s.issue_ns;
}

// A ratio of time to distance.
struct pace {
  wide time = 0;
  int distance = 1;
};

template <int S>
struct timed_graph {
  distances<S> steps;
  wide occupies[S > 0 ? S : 1]{};
  wide completes[S > 0 ? S : 1]{};
};

template <int S, int B>
constexpr timed_graph<S> time_stages(const plan<S, B>& p, const distances<S>& steps) {
  timed_graph<S> g{steps};
  for (int s = 0; s < p.stages.size(); ++s) {
    g.occupies[s] = femtoseconds(occupancy_ns(p.stages[s]));
    g.completes[s] = femtoseconds(completion_ns(p.stages[s]));
  }
  return g;
}

struct timed_edge {
  int from = -1;
  int to = -1;
  bool guarded = false;
};

// The edges of a cycle slower than the pace, or none. Longest paths from everywhere; one that still grows after as
// many rounds as there are stages runs round such a cycle.
template <int S>
constexpr list<timed_edge, S> slower_cycle(const timed_graph<S>& g, pace limit) {
  const int n = g.steps.count;
  struct edge {
    timed_edge along{};
    wide length = 0;
  };
  list<edge, 2 * S * S> all;
  const auto add = [&](int from, int to, bool guarded, wide time, int step) {
    if (step != never) all.add(edge{{from, to, guarded}, time * limit.distance - limit.time * step});
  };
  for (int u = 0; u < n; ++u)
    for (int v = 0; v < n; ++v) {
      add(u, v, false, g.occupies[u], g.steps.program[u][v]);
      add(u, v, true, g.completes[u], g.steps.waits[u][v]);
    }
  wide longest[S > 0 ? S : 1]{};
  timed_edge into[S > 0 ? S : 1]{};
  int grown = -1;
  for (int round = 0; round < n; ++round) {
    grown = -1;
    for (const edge& e : all) {
      const wide length = longest[e.along.from] + e.length;
      if (length <= longest[e.along.to]) continue;
      longest[e.along.to] = length;
      into[e.along.to] = e.along;
      grown = e.along.to;
    }
    if (grown < 0) return {};
  }
  for (int k = 0; k < n; ++k) grown = into[grown].from;  // from the tail into the cycle
  list<timed_edge, S> backwards, edges;
  int v = grown;
  do {
    backwards.add(into[v]);
    v = into[v].from;
  } while (v != grown);
  for (int k = backwards.size() - 1; k >= 0; --k) edges.add(backwards[k]);
  return edges;
}

template <int S>
constexpr pace pace_of(const timed_graph<S>& g, const list<timed_edge, S>& edges) {
  pace p{0, 0};
  for (const timed_edge& e : edges) {
    p.time += e.guarded ? g.completes[e.from] : g.occupies[e.from];
    p.distance += e.guarded ? g.steps.waits[e.from][e.to] : g.steps.program[e.from][e.to];
  }
  return p;
}

// From any slower cycle to a slower one still: the ratios only grow, so the last is the maximum.
template <int S>
constexpr list<timed_edge, S> slowest_cycle(const timed_graph<S>& g) {
  list<timed_edge, S> slowest;
  for (pace at{};;) {
    const list<timed_edge, S> slower = slower_cycle(g, at);
    if (slower.empty()) return slowest;
    slowest = slower;
    at = pace_of(g, slower);
    if (at.distance <= 0) return slowest;
  }
}

}  // namespace detail

// What bounds the plan's steady period; empty where nothing takes time. The plan must be free of problems.
template <int S, int B>
constexpr timed_cycle<S> critical_cycle(const plan<S, B>& p) {
  const detail::distances<S> d = detail::candidate_distances(p);
  const detail::timed_graph<S> g = detail::time_stages(p, d);
  timed_cycle<S> c;
  const list<detail::timed_edge, S> edges = detail::slowest_cycle(g);
  if (edges.empty()) return c;
  c.distance = 0;
  for (const detail::timed_edge& e : edges) {
    const int step = e.guarded ? d.waits[e.from][e.to] : d.program[e.from][e.to];
    c.edges.add(cycle_edge{e.from, e.to, step, e.guarded, {}});
    c.distance += step;
    c.time_ns += e.guarded ? detail::completion_ns(p.stages[e.from]) : detail::occupancy_ns(p.stages[e.from]);
  }
  detail::name_guards(p, c.edges);
  return c;
}

// Nanoseconds between one iteration and the next, once the pipeline is full.
template <int S, int B>
constexpr double period_ns(const plan<S, B>& p) { return critical_cycle(p).period_ns(); }

}  // namespace penstock
