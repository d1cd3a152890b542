// Which waits a plan needs: every hazard's candidate guard, less those that program order and the rest already imply.
// Theory: a guard of distance d is implied for every trip count iff it is implied in an unrolling of d + 1 iterations.
#pragma once

#include <penstock/plan/plan.hpp>

namespace penstock {

enum class hazard : unsigned char { raw, war, waw };

inline constexpr int verdict_buffer = -1;  // a guard for the decision to go on, not for data

// Before issue of (waiter, i), wait for the completion of (on, j) for every 0 <= j <= min(i - distance, n - 1).
struct guard {
  hazard kind = hazard::raw;
  int waiter = -1;
  int on = -1;
  int buffer = -1;
  int distance = 0;
  constexpr bool operator==(const guard&) const = default;
};

// The pairs (on, i - delta) -> (waiter, i), nearest <= delta <= farthest, that must be ordered for the guard's hazard.
struct obligation {
  guard wait{};
  int farthest = 0;
  int reuse = 0;  // the depth, where the waiter overwrites a slot of an earlier iteration; it is part of the distance
};

namespace detail {

constexpr int at_least(int value, int floor) { return value < floor ? floor : value; }

// Calls f(obligation) for every hazard of the plan: waits in declaration order of the waiter.
template <int S, int B, class F>
constexpr void for_each_obligation(const plan<S, B>& p, F&& f) {
  bool writes[S > 0 ? S : 1][B > 0 ? B : 1]{};  // a lookup, for the sake of the compiler's step limit
  for (int w = 0; w < p.stages.size(); ++w) for (int b : p.stages[w].writes) writes[w][b] = true;
  for (int r = 0; r < p.stages.size(); ++r)
    for (const read_access& read : p.stages[r].reads)
      for (int w = 0; w < p.stages.size(); ++w) {
        if (!writes[w][read.buffer]) continue;
        const int a = read.window.first, b = read.window.last, depth = p.buffers[read.buffer].depth;
        const int nearest = w < r ? -b : at_least(-b, 1);
        if (nearest <= -a) f(obligation{{hazard::raw, r, w, read.buffer, nearest}, -a});
        f(obligation{{hazard::war, w, r, read.buffer, depth + a}, depth + b, depth});
        if (w > r && a <= 0 && b >= 0) f(obligation{{hazard::war, w, r, read.buffer, 0}, 0});
        // an in-place stage that looks ahead reads values it will itself overwrite one iteration later
        if (w == r && b > 0) f(obligation{{hazard::war, w, r, read.buffer, at_least(a, 1)}, b});
      }
  for (int w = 0; w < p.stages.size(); ++w)
    for (int b : p.stages[w].writes)
      for (int v = 0; v < p.stages.size(); ++v) {
        if (!writes[v][b]) continue;
        const int depth = p.buffers[b].depth;
        f(obligation{{hazard::waw, v, w, b, depth}, depth, depth});
        if (w < v) f(obligation{{hazard::waw, v, w, b, 0}, 0});
      }
  // Whether iteration i runs at all is a value that a stopping stage writes at i - 1. Prefetching needs no leave; but
  // it overruns the stop, so where it ends travels to everyone else with its own instances.
  for (int v = 0; v < p.stages.size(); ++v)
    for (int u = 0; u < p.stages.size() && p.stages[v].stops; ++u) {
      if (p.stages[u].prefetches) continue;
      if (u != v) f(obligation{{hazard::raw, u, v, verdict_buffer, 1}, 1});
      for (int w = 0; w < p.stages.size(); ++w)
        if (p.stages[w].prefetches) f(obligation{{hazard::raw, u, w, verdict_buffer, 0}, 0});
    }
}

// Shortest distances between issues: matrix of the program order and of the guards in force.
template <int S>
struct distances {
  int program[S][S]{};
  int waits[S][S]{};   // waits[on][waiter]
  int count = 0;
};

template <int S, int B>
constexpr distances<S> program_distances(const plan<S, B>& p) {
  distances<S> d;
  d.count = p.stages.size();
  for (int i = 0; i < d.count; ++i)
    for (int j = 0; j < d.count; ++j) {
      d.program[i][j] = program_distance(p, i, j);
      d.waits[i][j] = never;
    }
  return d;
}

// Is C(on, from) before I(waiter, to) in a run of exactly n iterations? Issue instants only grow later with the
// iteration, so the earliest reachable instance of each stage decides; what would fall before iteration 0 counts as 0.
template <int S>
constexpr bool ordered(const distances<S>& d, bool on_is_sync, int on, int from, int waiter, int to, int n) {
  int earliest[S]{};
  bool fresh[S]{};
  for (int v = 0; v < d.count; ++v) {
    int step = d.waits[on][v];
    if (on_is_sync && d.program[on][v] < step) step = d.program[on][v];
    const int t = step == never ? never : at_least(from + step, 0);
    earliest[v] = t;
    fresh[v] = t < n;
  }
  for (bool moved = true; moved && earliest[waiter] > to;) {
    moved = false;
    for (int u = 0; u < d.count; ++u) {
      if (!fresh[u]) continue;
      fresh[u] = false;
      for (int v = 0; v < d.count; ++v) {
        const int step = d.program[u][v] < d.waits[u][v] ? d.program[u][v] : d.waits[u][v];
        if (step == never) continue;
        const int t = at_least(earliest[u] + step, 0);
        if (t < earliest[v] && t < n) { earliest[v] = t; fresh[v] = moved = true; }
      }
    }
  }
  return earliest[waiter] <= to;
}

// Does what is in force imply this pair for every n? A window of |delta| + 1 iterations decides.
template <int S>
constexpr bool pair_implied(const distances<S>& d, bool on_is_sync, int on, int waiter, int delta) {
  const int first = at_least(-delta, 0);
  return ordered(d, on_is_sync, on, first, waiter, first + delta, at_least(first + delta, first) + 1);
}

// Are all pairs of the obligation ordered for every n?
template <int S>
constexpr bool met(const distances<S>& d, bool on_is_sync, const obligation& o) {
  const int on = o.wait.on, waiter = o.wait.waiter;
  if (d.waits[on][waiter] <= o.wait.distance) return true;
  for (int delta = o.wait.distance; delta <= o.farthest; ++delta) {
    // a slot is written over only once it has been written: what was read behind the first iteration does not exist
    const int first = at_least(-delta, at_least(o.reuse - delta, 0));
    if (!ordered(d, on_is_sync, on, first, waiter, first + delta, at_least(first + delta, first) + 1)) return false;
    if (first == 0) return true;  // of the farther pairs, all follow from this one
  }
  return true;
}

// What a whole wait gives, which can be more than its obligation: it is cumulative, and clipped at the end of the run.
constexpr obligation whole(const guard& g) { return {g, at_least(g.distance, 0), 0}; }

}  // namespace detail

template <int S, int B>
constexpr int count_candidates(const plan<S, B>& p) {
  int n = 0;
  detail::for_each_obligation(p, [&](const obligation&) { ++n; });
  return n;
}

template <int Capacity>
struct guard_set {
  list<guard, Capacity> needed{};
  list<guard, Capacity> implied{};
};

// The sound, irredundant set of guards. Capacity >= count_candidates(p). The plan must be free of problems.
template <int Capacity, int S, int B>
constexpr guard_set<Capacity> derive_guards(const plan<S, B>& p) {
  list<obligation, Capacity> all;
  bool kept[Capacity > 0 ? Capacity : 1]{};
  int next[Capacity > 0 ? Capacity : 1]{};          // the candidates of one (on, waiter) in a chain
  int last[S > 0 ? S : 1][S > 0 ? S : 1]{};         // its end, plus one
  detail::distances<S> d = detail::program_distances(p);
  detail::for_each_obligation(p, [&](const obligation& o) {
    const guard& g = o.wait;
    kept[all.size()] = true;
    next[all.size()] = last[g.on][g.waiter];
    all.add(o);
    last[g.on][g.waiter] = all.size();
    if (g.distance < d.waits[g.on][g.waiter]) d.waits[g.on][g.waiter] = g.distance;
  });
  const auto strongest_other = [&](int skip) {
    const guard& g = all[skip].wait;
    int best = never;
    for (int k = last[g.on][g.waiter] - 1; k >= 0; k = next[k] - 1)
      if (k != skip && kept[k] && all[k].wait.distance < best) best = all[k].wait.distance;
    return best;
  };
  const auto met = [&](const obligation& o) {
    return detail::met(d, p.stages[o.wait.on].mode == mode::sync, o);
  };
  const auto needed = [&](const obligation& o) {
    if (!met(o)) return true;
    if (met(detail::whole(o.wait))) return false;
    for (const obligation& other : all) if (!met(other)) return true;  // it may have leaned on more than o asks for
    return false;
  };
  for (hazard kind : {hazard::waw, hazard::war, hazard::raw})
    for (int k = all.size() - 1; k >= 0; --k) {
      const guard& g = all[k].wait;
      if (g.kind != kind) continue;
      const int in_force = d.waits[g.on][g.waiter];
      d.waits[g.on][g.waiter] = strongest_other(k);
      kept[k] = needed(all[k]);
      if (kept[k]) d.waits[g.on][g.waiter] = in_force;
    }
  guard_set<Capacity> out;
  for (int k = 0; k < all.size(); ++k) (kept[k] ? out.needed : out.implied).add(all[k].wait);
  return out;
}

// Must somebody wait for this stage's last instances before the storage is reused or the kernel returns?
template <int S, int B, int Capacity>
constexpr bool needs_drain(const plan<S, B>& p, const guard_set<Capacity>& guards, int stage) {
  if (p.stages[stage].mode == mode::sync) return false;
  for (const guard& g : guards.needed) if (g.on == stage && g.distance <= 0) return false;
  return true;
}

}  // namespace penstock
