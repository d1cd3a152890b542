#include "reasons.hpp"

#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace penstock::command {
namespace {

// How many instances of the async stage `on` may stay in flight across the guard, where both share one agent.
int slack(const bounded_plan& p, const guard& g) { return g.distance - program_distance(p, g.on, g.waiter); }

bool drains_everything(const bounded_plan& p, const guard& g) {
  return p.stages[g.on].mode == mode::async && p.stages[g.on].agent == p.stages[g.waiter].agent && slack(p, g) <= 0;
}

bool is_sound(const bounded_plan& p) { return find_problems<1>(p).empty(); }

// Of the guards that order one access to one buffer, is there one that drains every copy?
bool still_drains(const bounded_plan& p, const guard& like) {
  bool drains = false;
  detail::for_each_obligation(p, [&](const obligation& o) {
    if (o.wait.kind == like.kind && o.wait.on == like.on && o.wait.waiter == like.waiter &&
        o.wait.buffer == like.buffer)
      drains = drains || drains_everything(p, o.wait);
  });
  return drains;
}

std::string advise_depth(bounded_plan p, const guard& g) {
  const int deeper = ++p.buffers[g.buffer].depth;
  if (deeper > most_depth || !is_sound(p) || still_drains(p, g)) return "";
  return fmt::format("depth {} of `{}` would avoid a full drain: `{}` waits for the `{}` just issued, with slack 0",
                     deeper, p.buffers[g.buffer].name, p.stages[g.waiter].name, p.stages[g.on].name);
}

std::string advise_skew(bounded_plan p, const guard& g) {
  std::vector<int> moved;
  for (int s = g.waiter; s < p.stages.size(); ++s)
    if (p.stages[s].agent == p.stages[g.waiter].agent && s != g.on) {
      ++p.stages[s].skew;
      moved.push_back(s);
    }
  const int declared = p.buffers[g.buffer].depth;
  int& depth = p.buffers[g.buffer].depth;
  if (!is_sound(p)) {
    depth = smallest_depth(p, g.buffer);
    if (depth <= declared || !is_sound(p)) return "";
  }
  if (still_drains(p, g)) return "";
  std::string out = fmt::format("one more step of skew for {}", quoted_names(p, moved));
  if (depth > declared) out += fmt::format(" and depth {} of `{}`", depth, p.buffers[g.buffer].name);
  return out + fmt::format(" would keep a `{}` in flight while `{}` works on the one before", p.stages[g.on].name,
                           p.stages[g.waiter].name);
}

double period_with_depth(bounded_plan p, int buffer, int depth) {
  p.buffers[buffer].depth = depth;
  return period_ns(p);
}

// The period never grows with depth, so the first depth at which the test holds is found by halving.
template <class F>
int least_depth(int fails, int holds, F&& test) {
  while (holds - fails > 1) {
    const int middle = fails + (holds - fails) / 2;
    (test(middle) ? holds : fails) = middle;
  }
  return holds;
}

std::string lift_with(const bounded_plan& p, int buffer, double now) {
  const int depth = p.buffers[buffer].depth;
  const auto period = [&](int d) { return period_with_depth(p, buffer, d); };
  const double best = period(most_depth);
  constexpr double same = 1 - 1e-9;  // cycles of equal ratio need not divide to equal doubles
  if (!(best < now * same)) return "";
  const int first = least_depth(depth, most_depth, [&](int d) { return period(d) < now * same; });
  const int last = least_depth(depth, most_depth, [&](int d) { return period(d) * same < best; });
  std::string out =
      fmt::format("depth {} of `{}` would lower it to {}", first, p.buffers[buffer].name, time_text(period(first)));
  if (last > first) out += fmt::format(", depth {} to {}", last, time_text(best));
  return out + "; more depth than that buys nothing";
}

// Of stage `on` at iteration `from` to stage `waiter` at iteration `to`.
std::vector<cycle_edge> find_chain(const bounded_plan& p, const std::vector<guard>& in_force, int on, int from,
                                   int waiter, int to) {
  std::array<std::array<const guard*, most_stages>, most_stages> waits{};
  for (const guard& g : in_force) {
    const guard*& best = waits[std::size_t(g.on)][std::size_t(g.waiter)];
    if (best == nullptr || g.distance < best->distance) best = &g;
  }
  const auto edge = [&](int u, int v, bool from_completion) {
    const guard* const wait = waits[std::size_t(u)][std::size_t(v)];
    const bool ordered = !from_completion || p.stages[u].mode == mode::sync;
    cycle_edge e{u, v, ordered ? program_distance(p, u, v) : never, false, {}};
    if (wait != nullptr && wait->distance < e.distance) e = {u, v, wait->distance, true, *wait};
    return e;
  };
  // the earliest instance of each stage that is ordered after the first one, in a run of just the iterations
  // concerned
  const int n = std::max(from, to) + 1;
  std::array<int, most_stages> earliest{};
  std::array<cycle_edge, most_stages> into{};
  earliest.fill(never);
  const auto relax = [&](const cycle_edge& e, int at) {
    if (e.distance == never) return false;
    const int then = std::max(0, at + e.distance);
    if (then >= n || then >= earliest[std::size_t(e.to)]) return false;
    earliest[std::size_t(e.to)] = then;
    into[std::size_t(e.to)] = e;
    return true;
  };
  const int count = p.stages.size();
  std::array<bool, most_stages> starts{};
  for (int v = 0; v < count; ++v) starts[std::size_t(v)] = relax(edge(on, v, true), from);
  for (bool moved = true; moved;) {
    moved = false;
    for (int u = 0; u < count; ++u)
      for (int v = 0; v < count && earliest[std::size_t(u)] != never; ++v)
        if (relax(edge(u, v, false), earliest[std::size_t(u)])) {
          starts[std::size_t(v)] = false;
          moved = true;
        }
  }
  std::vector<cycle_edge> chain;
  if (earliest[std::size_t(waiter)] > to) return chain;
  for (int v = waiter; static_cast<int>(chain.size()) <= count; v = into[std::size_t(v)].from) {
    chain.push_back(into[std::size_t(v)]);
    if (starts[std::size_t(v)]) break;
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace

std::vector<cycle_edge> why_implied(const bounded_plan& p, const std::vector<guard>& in_force, const guard& left_out) {
  const int d = left_out.distance, first = std::max(0, -d);
  std::vector<cycle_edge> chain = find_chain(p, in_force, left_out.on, first, left_out.waiter, first + d);
  if (!chain.empty()) return chain;
  // less will do where the guard is about a slot, which is written over only once it has been written
  detail::for_each_obligation(p, [&](const obligation& o) {
    if (!(o.wait == left_out) || o.reuse == 0 || !chain.empty()) return;
    const int earliest = std::max(first, o.reuse - d);
    chain = find_chain(p, in_force, left_out.on, earliest, left_out.waiter, earliest + d);
  });
  return chain;
}

std::vector<std::string> advice(const bounded_plan& p, const std::vector<guard>& in_force) {
  std::vector<std::string> out;
  for (const guard& g : in_force) {
    if (!drains_everything(p, g)) continue;
    const std::string sentence = g.kind == hazard::raw ? advise_skew(p, g) : advise_depth(p, g);
    if (!sentence.empty() && std::find(out.begin(), out.end(), sentence) == out.end()) out.push_back(sentence);
  }
  return out;
}

std::vector<std::string> ways_to_lift(const bounded_plan& p, const timed_cycle<most_stages>& bound) {
  std::vector<std::string> out;
  for (int b = 0; b < p.buffers.size(); ++b)
    if (std::string s = lift_with(p, b, bound.period_ns()); !s.empty()) out.push_back(std::move(s));
  return out;
}

}  // namespace penstock::command
