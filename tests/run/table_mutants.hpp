// Breaks lowering tables at compile time, one step or one number at a time, so that kernels run the broken table: the
// mutants of penstock/check/mutants.hpp that a table can express. Include it before any header of penstock/run.
#pragma once

#include <penstock/lower/lower.hpp>

namespace mutants {

using namespace penstock;

enum class edit : unsigned char {
  drop, nearer, further, phase_late, phase_early, more_pending, fewer_pending, only_reads, told_before, more_arrivals,
  fewer_arrivals, fewer_slots
};

struct mutation {
  edit how = edit::drop;
  int agent = -1;
  bool draining = false;
  int at = -1;  // the step, or for what concerns a ring its stage
};

// The next signal of this step's stage, which tells others of its instance.
template <class Steps>
constexpr int told_by(const Steps& steps, int k) {
  for (int later = k + 1; later < steps.size(); ++later)
    if (steps[later].what == op::signal && steps[later].stage == steps[k].stage) return later;
  return -1;
}

template <class Steps, class F>
constexpr void for_each_in(const Steps& steps, int agent, bool draining, F&& f) {
  for (int k = 0; k < steps.size(); ++k) {
    const step& s = steps[k];
    const auto add = [&](edit how) { f(mutation{how, agent, draining, k}); };
    add(edit::drop);
    switch (s.what) {
      case op::wait_signal:
      case op::wait_first:
        add(edit::nearer);
        add(edit::further);
        add(edit::phase_late);
        add(edit::phase_early);
        break;
      case op::signal:
        add(edit::nearer);
        add(edit::further);
        break;
      case op::wait_groups:
      case op::wait_reads:
      case op::wait_writes:
        add(edit::more_pending);
        if (s.count > 0) add(edit::fewer_pending);
        if (s.what == op::wait_writes) add(edit::only_reads);
        break;
      case op::issue:
      case op::fence:
        if (told_by(steps, k) >= 0) add(edit::told_before);
        break;
      default: break;
    }
  }
}

// Calls f(mutation) for every mutant of a table.
template <class Table, class F>
constexpr void for_each_mutation(const Table& t, F&& f) {
  for (int a = 0; a < t.agents.size(); ++a) {
    for_each_in(t.agents[a].loop, a, false, f);
    for_each_in(t.agents[a].drain, a, true, f);
  }
  for (int s = 0; s < t.rings.size(); ++s) {
    if (t.rings[s].slots == 0) continue;
    f(mutation{edit::more_arrivals, -1, false, s});
    if (t.rings[s].arrivals > 1) f(mutation{edit::fewer_arrivals, -1, false, s});
    if (t.rings[s].slots > 1) f(mutation{edit::fewer_slots, -1, false, s});
  }
}

template <class Table>
constexpr int count_mutations(const Table& t) {
  int n = 0;
  for_each_mutation(t, [&](const mutation&) { ++n; });
  return n;
}

template <class Table, class Steps>
constexpr void apply(const Table& t, Steps& steps, const mutation& m) {
  step& s = steps[m.at];
  switch (m.how) {
    case edit::drop:
      for (int k = m.at; k + 1 < steps.size(); ++k) steps[k] = steps[k + 1];
      --steps.count;
      break;
    case edit::nearer: --s.distance; break;
    case edit::further: ++s.distance; break;
    case edit::phase_late: s.distance -= t.rings[s.on].slots; break;
    case edit::phase_early: s.distance += t.rings[s.on].slots; break;
    case edit::more_pending: ++s.count; break;
    case edit::fewer_pending: --s.count; break;
    case edit::only_reads: s.what = op::wait_reads; break;
    case edit::told_before: {
      const int told = told_by(steps, m.at);
      const step early = steps[told];
      for (int k = told; k > m.at; --k) steps[k] = steps[k - 1];
      steps[m.at] = early;
      break;
    }
    default: break;
  }
}

// The table with its n-th mutation; unchanged where it has no so many.
template <class Table>
constexpr Table mutated(const Table& t, int n) {
  Table out = t;
  for_each_mutation(t, [&](const mutation& m) {
    if (n-- != 0) return;
    switch (m.how) {
      case edit::more_arrivals: ++out.rings[m.at].arrivals; break;
      case edit::fewer_arrivals: --out.rings[m.at].arrivals; break;
      case edit::fewer_slots: --out.rings[m.at].slots; break;
      default:
        if (m.draining) apply(t, out.agents[m.agent].drain, m);
        else apply(t, out.agents[m.agent].loop, m);
    }
  });
  return out;
}

// A mapping whose tables come out broken.
template <class Mapping, int N>
struct broken : Mapping {
  static constexpr int mutation = N;
};

template <class Mapping, class Table>
constexpr Table mutate(const Table& t) {
  if constexpr (requires { Mapping::mutation; }) return mutated(t, Mapping::mutation);
  else return t;
}

}  // namespace mutants

#define PENSTOCK_MUTATION mutants::mutate
