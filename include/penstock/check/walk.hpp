// What the loops of run/ make one thread do in one run, for every step of its agent's program: run/agent.hpp in
// symbols.
#pragma once

#include <penstock/check/thread_in_run.hpp>

#include <algorithm>
#include <vector>

namespace penstock::check::detail {

class walk : public thread_in_run {
 public:
  using thread_in_run::thread_in_run;

  void execute_run() {
    if (n_ <= 0) return;
    for (t_now_ = 0; t_now_ < n_ + agent_.last_skew && t_now_ < unknown; ++t_now_)
      for (const step& e : agent_.loop) execute(e, e.stage < 0 ? -1 : t_now_ - t_.stages[e.stage].skew);
    for (const step& e : agent_.drain) drain(e);
  }

 private:
  void execute(const step& e, int i) {
    switch (e.what) {
      case op::barrier: meet_agent(); return;
      case op::wait_groups: emit(act::wait_groups, e.stage, -1, -1, e.count); return;
      case op::wait_reads: wait_bulk(act::wait_reads, e); return;
      case op::wait_writes: wait_bulk(act::wait_writes, e); return;
      case op::commit: commit(e.stage); return;
      case op::issue: if (present(i)) issue(e.stage, i); return;
      case op::agree: if (present(i)) agree(e.stage, i); return;
      case op::fence: if (present(i) && !on_host()) emit(act::fence, e.stage, i); return;
      case op::wait_first:
        if (e.distance < 0 && t_now_ == 0) learn(-e.distance - 1);
        if (t_now_ == 0 && -e.distance < n_) wait(e, -e.distance);
        return;
      case op::wait_signal:
        if (e.distance < 0) learn(i - e.distance - 1);
        if (e.distance >= 0 ? present(i) : i >= e.distance && i - e.distance < n_) wait(e, i - e.distance);
        return;
      case op::signal:
        if (!present(i) || i < e.distance) return;
        meet_warp();
        arrive(e.stage, i - e.distance);
        return;
    }
  }
  void drain(const step& e) {
    if (e.what == op::wait_signal) {
      if (n_ >= e.distance) wait(e, n_ - e.distance);
    } else if (e.what == op::signal) {
      for (int back = e.distance; back > 0; --back) if (n_ >= back) arrive(e.stage, n_ - back);
    } else {
      execute(e, -1);
    }
  }
  void wait_bulk(act what, const step& e) {
    if (thread_.first_warp && thread_.elected) emit(what, e.stage, -1, -1, e.count);
  }
  void commit(int s) {
    const engine_kind engine = t_.stages[s].engine;
    if (engine == engine_kind::async_copy || (thread_.first_warp && thread_.elected))
      emit(act::commit, s, -1, -1, 0, 0, engine);
  }

  void wait(const step& e, int i) {
    const int g = at_.base + i, slots = at_.ring_slots[e.on];
    if (slots == 0) {
      p_.inconsistency = "stage '" + t_.stages[e.stage].name + "' waits for a signal that stage '" +
                         t_.stages[e.on].name + "' does not have";
      return;
    }
    if (on_host() && g < 0) return;
    const int phase = g >= 0 ? g / slots : -((slots - 1 - g) / slots);
    emit(act::wait, e.stage, i, at_.first_signal[e.on] + (g - phase * slots), phase, 0, engine_kind::body, e.on);
  }
  void arrive(int s, int i, act what = act::arrive, int weight = 0) {
    const int g = at_.base + i, slots = at_.ring_slots[s];
    if (!thread_.elected || slots == 0) return;
    emit(what, s, i, at_.first_signal[s] + g % slots, g / slots, weight > 0 ? weight : thread_.weight);
  }

  // ------------------------------------------------------------------------------ bodies and copies
  void issue(int s, int i) {
    const checked_stage& stage = t_.stages[s];
    if (stage.engine != engine_kind::source) learn_window(s, i);
    hear(i, s == first_stage());
    if (stage.engine == engine_kind::source) return ask(s, i);
    const bool skipped = stage.prefetches ? i >= items_ || i >= live_ + overrun() : i >= live_;
    if (is_bulk(stage.engine)) {
      if (!thread_.first_warp) return;
      meet_warp();
    }
    if (skipped) {
      if (stage.engine == engine_kind::bulk_in) arrive(s, i, act::arrive, 1);
      return;
    }
    if (t_.source() >= 0) read_item(i, s);
    if (is_bulk(stage.engine) && !t_.bulk_by_threads && !thread_.elected) return;
    emit(act::begin, s, i);
    if (is_async(stage.engine) && !(is_bulk(stage.engine) && t_.bulk_by_threads)) {
      start_copy(s, i);
      return;
    }
    for (const slot_access& l : loads(s, i)) emit(act::load, s, i, l.where, l.value);
    for (const slot_access& w : stores(s, i)) emit(act::store, s, i, w.where, w.value);
    if (!is_bulk(stage.engine)) return;
    emit(act::fence, s, i);  // what the bulk engine cannot move, its warp moves: arch/hopper/copy.hpp
    meet_warp();
    if (stage.engine == engine_kind::bulk_in) arrive(s, i, act::arrive, 1);
  }

  // The stage whose value a reader at iteration i must find in the slot of iteration x.
  int last_writer(int buffer, int reader, int x, int i) const {
    int last = -1;
    for (int w = 0; w < int(t_.stages.size()); ++w)
      for (int written : t_.stages[w].writes) if (written == buffer && (x < i || w < reader)) last = w;
    return last;
  }
  std::vector<slot_access> loads(int s, int i) const {
    std::vector<slot_access> all;
    for (const read_access& r : t_.stages[s].reads)
      for (int x = std::max(i + r.window.first, 0); !r.item && x <= std::min(i + r.window.last, items_ - 1); ++x) {
        const int w = last_writer(r.buffer, s, x, i);
        all.push_back({slot(r.buffer, x), w < 0 ? 0 : version_of(w, at_.base + x)});
      }
    return all;
  }
  void start_copy(int s, int i) {
    const checked_stage& stage = t_.stages[s];
    async_copy_op c{stage.engine, s, at_.base + i, -1, 0, int(stage.bytes), loads(s, i), stores(s, i)};
    if (const int slots = at_.ring_slots[s]; stage.engine == engine_kind::bulk_in && slots > 0) {
      c.signal = at_.first_signal[s] + (at_.base + i) % slots;
      c.phase = (at_.base + i) / slots;
      arrive(s, i, act::expect, int(stage.expected));
    }
    copies.push_back(c);
    emit(act::issue, s, i, int(copies.size()) - 1, 0, 0, stage.engine);
  }

};

}  // namespace penstock::check::detail
