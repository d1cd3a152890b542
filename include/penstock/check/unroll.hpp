// A lowering table and a scenario -> what every thread does.
#pragma once

#include <penstock/check/walk.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace penstock::check {

namespace detail {

class unroller {
 public:
  unroller(const table& t, const scenario& runs) : t_(t) {
    int total = 0;
    for (const run_case& r : runs) total += r.n + (t.source() >= 0 ? 1 + t.deepest() : 0);
    place_everything(std::max(total, 1));
    for (const run_case& r : runs) {
      if (t.meets_between_runs && at_.base > 0) meet_block();
      unroll(r);
    }
    meet_block();  // the storage is free, or the block ends, once all threads have come here
    for (signal_info& s : p_.signals) {
      const int slots = at_.ring_slots[s.stage];
      s.phases = at_.base / slots + (at_.base % slots > s.slot ? 1 : 0);
    }
  }
  program take() { return std::move(p_); }

 private:
  void place_everything(int total) {
    const bool host = t_.target == backend::host;
    for (const checked_buffer& b : t_.buffers) {
      at_.first_slot.push_back(int(p_.slots.size()));
      for (int k = 0; k < b.depth; ++k) p_.slots.push_back({int(at_.first_slot.size()) - 1, k});
    }
    for (int s = 0; s < int(t_.stages.size()); ++s) {
      const signal_ring& ring = t_.stages[s].ring;
      at_.first_signal.push_back(int(p_.signals.size()));
      at_.ring_slots.push_back(ring.slots > 0 && host ? total : ring.slots);
      for (int k = 0; k < at_.ring_slots[s]; ++k) p_.signals.push_back({s, k, host ? 1 : ring.arrivals, 0});
    }
    p_.groups.resize(2 * t_.agents.size() + 1);
    for (int a = 0; a < int(t_.agents.size()); ++a) add_threads(a);
  }

  // A few threads stand for all: the elected lane, another lane of its warp where the two differ, and a further warp.
  // No step tells other threads of an agent apart, so any pair of them behaves like a pair of these.
  void add_threads(int a) {
    const checked_agent& agent = t_.agents[a];
    const auto add = [&](std::string which, bool first_warp, bool elected, int weight) {
      const int index = int(p_.threads.size());
      p_.threads.push_back({a, agent.name + which, first_warp, elected, weight, {}});
      p_.groups[a].push_back(index);
      if (first_warp) p_.groups[t_.agents.size() + a].push_back(index);
      p_.groups.back().push_back(index);
    };
    if (t_.target == backend::host) return add("", true, true, 1);
    bool elects = agent.warps == 1;
    for (const checked_stage& s : t_.stages) elects = elects || (s.agent == a && runs_in_one_warp(s.engine));
    add(elects ? " lane 0" : " warp 0", true, true, 1);
    if (elects) add(" lane 1", true, false, 1);
    if (agent.warps > 1) add(" warp 1", false, true, agent.warps - 1);
  }

  // The agent that copies in and asks the source: it decides where a run ends.
  int leader() const {
    for (const checked_stage& s : t_.stages) if (s.prefetches) return s.agent;
    return -1;
  }

  void unroll(const run_case& run) {
    at_.word_stopped = p_.words++;
    at_.word_ended = p_.words++;
    at_.ended = at_.no_more = -1;
    int end = -1;
    const int first = leader();
    for (int pass = first >= 0 ? 0 : 1; pass < 2; ++pass)  // the leader's elected lane comes first
      for (int thread = 0; thread < int(p_.threads.size()); ++thread) {
        const bool leads = p_.threads[thread].agent == first;
        if (leads != (pass == 0)) continue;
        const int this_end = leads ? walk_leader(run, thread) : walk_follower(run, thread);
        if (end >= 0 && this_end != end)
          p_.inconsistency = "agents leave the run after different numbers of instances: " + std::to_string(end) +
                             " and " + std::to_string(this_end);
        end = this_end;
      }
    at_.base += std::max(end, 0);
    if (t_.stops()) meet_block();
  }

  int walk_leader(const run_case& run, int thread) {
    const int first_sight = run.seen_at < 0 ? 1 << 20 : run.seen_at;
    walk w(t_, p_, at_, run, thread, {first_sight, 0});
    w.execute_run();
    if (w.ended_by_leader() >= 0) at_.ended = w.ended_by_leader();
    if (w.no_more() >= 0) at_.no_more = w.no_more();
    for (event& e : w.events)
      if (e.what == act::peek && e.value <= first_sight) e.what = e.value < first_sight ? act::miss : act::see;
    keep(w, run, thread);
    return w.end();
  }

  // How late may this thread find the words written, and still do the same? There it must have found them.
  int walk_follower(const run_case& run, int thread) {
    walk early(t_, p_, at_, run, thread, {});
    early.execute_run();
    knowledge latest{early.stopped_looks, early.ended_looks};
    latest.stopped_from = latest_look(early, run, thread, early.stopped_looks, &knowledge::stopped_from);
    latest.ended_from = latest_look(early, run, thread, early.ended_looks, &knowledge::ended_from);
    walk late(t_, p_, at_, run, thread, latest);
    late.execute_run();
    if (!same_acts(early, late)) p_.inconsistency = "what a thread does depends on when it hears of the stop";
    for (std::size_t k = 0; k < early.events.size(); ++k) {
      const event e = early.events[k];
      if (e.what != act::peek || e.value != (e.where == at_.word_stopped ? latest.stopped_from : latest.ended_from))
        continue;
      event need = e;
      need.what = act::need;
      early.events.insert(early.events.begin() + long(++k), need);
    }
    keep(early, run, thread);
    return early.end();
  }
  int latest_look(const walk& early, const run_case& run, int thread, int looks, int knowledge::*which) {
    int same = 0, differs = looks + 1;
    while (differs - same > 1) {
      const int middle = same + (differs - same) / 2;
      knowledge k;
      k.*which = middle;
      walk w(t_, p_, at_, run, thread, k);
      w.execute_run();
      (same_acts(early, w) ? same : differs) = middle;
    }
    return same;
  }
  static bool same_acts(const walk& a, const walk& b) {
    const auto next = [](const walk& w, std::size_t k) {
      while (k < w.events.size() && w.events[k].what == act::peek) ++k;
      return k;
    };
    std::size_t i = next(a, 0), j = next(b, 0);
    for (; i < a.events.size() && j < b.events.size(); i = next(a, i + 1), j = next(b, j + 1))
      if (!(a.events[i] == b.events[j])) return false;
    return i >= a.events.size() && j >= b.events.size() && a.end() == b.end();
  }

  void keep(walk& w, const run_case& run, int thread) {
    const int first = int(p_.copies.size());
    p_.copies.insert(p_.copies.end(), w.copies.begin(), w.copies.end());
    std::vector<event>& all = p_.threads[thread].events;
    for (event e : w.events) {
      if (e.what == act::issue) e.where += first;
      all.push_back(e);
    }
    check_begins(w, run, p_.threads[thread]);
  }
  // Every instance up to the stop runs once on each thread of its stage, and none beyond it but copies ahead.
  void check_begins(const walk& w, const run_case& run, const modelled_thread& thread) {
    for (int s = 0; s < int(t_.stages.size()); ++s) {
      const checked_stage& stage = t_.stages[s];
      if (stage.agent != thread.agent) continue;
      const bool by_lanes = t_.bulk_by_threads && is_bulk(stage.engine);
      if (runs_in_one_warp(stage.engine) && !(thread.first_warp && (thread.elected || by_lanes))) continue;
      const int live = run.stop_at >= 0 ? std::min(run.n, run.stop_at + 1) : run.n;
      int expected = 0;
      for (const event& e : w.events) {
        if (e.what != act::begin || e.stage != s) continue;
        if (e.instance != at_.base + expected || (!stage.prefetches && expected >= live))
          p_.inconsistency = "stage '" + stage.name + "' runs iteration " + std::to_string(e.instance) +
                             " where iteration " + std::to_string(at_.base + expected) + " or the end is due";
        ++expected;
      }
      if (expected < live && (!stage.prefetches || run.stop_at < 0))
        p_.inconsistency = "stage '" + stage.name + "' never runs iteration " + std::to_string(at_.base + expected);
    }
  }
  void meet_block() {
    event e;
    e.what = act::meet;
    e.where = int(p_.groups.size()) - 1;
    for (modelled_thread& t : p_.threads) t.events.push_back(e);
  }

  const table& t_;
  program p_;
  placement at_;
};

}  // namespace detail

inline program unroll(const table& t, const scenario& runs) { return detail::unroller(t, runs).take(); }

}  // namespace penstock::check
