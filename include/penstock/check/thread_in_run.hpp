// One thread in one run, and how it finds out where the run ends: by the stop protocol, and through the ring of items.
// What run/agent.hpp calls hear, agree, learn and ask.
#pragma once

#include <penstock/check/program.hpp>

#include <algorithm>
#include <vector>

namespace penstock::check::detail {

// Where everything lies in a program, and how far the earlier runs came.
struct placement {
  std::vector<int> first_slot;    // per buffer
  std::vector<int> first_signal;  // per stage
  std::vector<int> ring_slots;    // per stage; a counter on the host never wraps
  int base = 0;                   // instances before this run
  int word_stopped = -1;
  int word_ended = -1;
  int ended = -1;                 // where the agent that copies in ended the run; -1: nowhere before n
  int no_more = -1;               // the instance for which the source had no more items
};

// From which of its looks on a thread finds a word written.
struct knowledge {
  int stopped_from = 0;
  int ended_from = 0;
};

class thread_in_run {
 public:
  thread_in_run(const table& t, program& p, const placement& at, const run_case& run, int thread, knowledge known)
      : t_(t), p_(p), at_(at), run_(run), thread_(p.threads[thread]), agent_(t.agents[thread_.agent]),
        index_(thread_.agent), known_(known), n_(run.n > 0 && t.source() >= 0 ? unknown : run.n), items_(n_), live_(n_),
        no_more_(at.no_more) {}

  std::vector<event> events;
  std::vector<async_copy_op> copies;  // numbered from 0 in `events`
  int stopped_looks = 0;
  int ended_looks = 0;
  int end() const { return n_; }
  int ended_by_leader() const { return ended_; }
  int no_more() const { return no_more_; }

 protected:
  bool on_host() const { return t_.target == backend::host; }
  bool stops_early() const { return run_.stop_at >= 0; }
  bool one_agent() const { return t_.agents.size() == 1; }
  bool leads() const { return first_stage() >= 0 && t_.stages[first_stage()].prefetches; }
  int first_stage() const {
    for (const step& e : agent_.loop) if (e.what == op::issue) return e.stage;
    return -1;
  }
  bool present(int i) const { return agent_.last_skew == 0 || (i >= 0 && i < n_); }

  void emit(act what, int stage, int instance, int where = -1, int value = 0, int weight = 0,
            engine_kind engine = engine_kind::body, int on = -1) {
    events.push_back({what, engine, short(stage), short(on), t_now_, instance < 0 ? -1 : at_.base + instance, where,
                      value, weight});
  }
  void meet_agent() { if (!on_host()) emit(act::meet, -1, -1, index_); }
  void meet_warp() {
    const int group = int(t_.agents.size()) + index_;
    if (thread_.first_warp && p_.groups[group].size() > 1) emit(act::meet, -1, -1, group);
  }

  int slot(int buffer, int i) const { return at_.first_slot[buffer] + (at_.base + i) % t_.buffers[buffer].depth; }
  std::vector<slot_access> stores(int s, int i) const {
    std::vector<slot_access> all;
    for (int b : t_.stages[s].writes) all.push_back({slot(b, i), version_of(s, at_.base + i)});
    return all;
  }

  // ------------------------------------------------------------------------------ the stop protocol
  bool finds(int& looks, int from, int word) {
    const bool found = looks >= from;
    if (thread_.elected) emit(act::peek, -1, -1, word, looks);
    ++looks;
    return found;
  }
  void hear(int i, bool first) {
    if (!t_.stops() || one_agent() || !stops_early()) return;
    if (finds(stopped_looks, known_.stopped_from, at_.word_stopped)) live_ = std::min(live_, run_.stop_at + 1);
    if (leads()) {
      if (!first || i < live_ + overrun() || i + 1 >= n_) return;
      ended_ = n_ = i + 1;
      if (thread_.elected) emit(act::set, first_stage(), i, at_.word_ended);
    } else if (t_.prefetches()) {
      if (at_.ended >= 0 && finds(ended_looks, known_.ended_from, at_.word_ended)) n_ = std::min(n_, at_.ended);
    } else {
      n_ = std::min(n_, live_ + 1);
    }
  }
  // How far beyond the stop copies in are still made: run/agent.hpp.
  int overrun() const {
    int most = 0;
    for (const checked_stage& r : t_.stages)
      for (const read_access& read : r.reads)
        for (const checked_stage& w : t_.stages)
          for (int b : w.writes) if (w.prefetches && b == read.buffer) most = std::max(most, read.window.last);
    return most;
  }
  void agree(int s, int i) {
    const auto runs = [&](const event& e) {
      return e.what == act::begin && e.stage == s && e.instance == at_.base + i;
    };
    if (i < live_ && std::none_of(events.rbegin(), events.rend(), runs))
      p_.inconsistency = "stage '" + t_.stages[s].name + "' votes on a stop before it runs";
    meet_agent();
    if (s != run_.stopper || i != run_.stop_at) return;
    live_ = i + 1;
    if (thread_.first_warp && thread_.elected) emit(act::set, s, i, at_.word_stopped);
    if (one_agent()) n_ = std::min(n_, std::max(t_.prefetches() ? t_now_ + 1 : 0, live_ + overrun()));
    else if (!t_.prefetches()) n_ = std::min(n_, live_ + 1);
  }

  // ------------------------------------------------------------------------------ what to do, and the end
  void read_item(int i, int reader) {
    const int source = t_.source();
    emit(act::load, reader, i, slot(t_.stages[source].writes[0], i), version_of(source, at_.base + i), 1);
  }
  // The end travels through the ring of items.
  void learn(int i) {
    if (t_.source() < 0 || i < 0 || i >= n_) return;
    read_item(i, first_stage());
    if (i != no_more_) return;
    n_ = i + 1;
    items_ = std::min(items_, i);
    live_ = std::min(live_, items_);
  }
  void learn_window(int s, int i) {
    for (const read_access& r : t_.stages[s].reads)
      for (int ahead = 0; r.item && ahead <= r.window.last; ++ahead)
        if (ahead == r.window.last || i == 0) learn(i + ahead);
  }
  void ask(int s, int i) {
    if (!thread_.first_warp) return;
    meet_warp();
    if (thread_.elected) {
      if (no_more_ < 0 && (i >= run_.n || i >= live_ + overrun())) no_more_ = i;
      emit(act::begin, s, i);
      for (const slot_access& w : stores(s, i)) emit(act::store, s, i, w.where, w.value);
    }
    meet_warp();
    if (agent_.warps == 1) learn(i);
  }

  const table& t_;
  program& p_;
  const placement& at_;
  const run_case& run_;
  const modelled_thread& thread_;
  const checked_agent& agent_;
  int index_;
  knowledge known_;
  int t_now_ = 0;
  int n_;
  int items_;
  int live_;
  int no_more_;
  int ended_ = -1;

  static constexpr int unknown = 1 << 12;  // no scenario is that long
};

}  // namespace penstock::check::detail
