// Executes a lowering table symbolically: what the loops of run/ make each thread do in a scenario.
#pragma once

#include <penstock/check/program.hpp>

#include <algorithm>

namespace penstock::check {

namespace detail {

class unroller {
 public:
  unroller(const table& t, const scenario& runs) : t_(t), runs_(runs) {
    for (const run_case& r : runs) total_ += r.n;
    lay_out();
    for (const run_case& r : runs_) {
      run_ = r;
      end_ = end_of(r);
      for (int a = 0; a < int(t_.agents.size()); ++a)
        for (int thread : p_.groups[a]) unroll_run(a, thread);
      for (int s = 0; s < int(t_.stages.size()); ++s) p_.begins[s] += begins_owed(s);
      base_ += end_;
      p_.words += 2;
    }
    for (signal_info& signal : p_.signals) {
      const int slots = slots_of(signal.stage);
      signal.phases = base_ / slots + (base_ % slots > signal.slot ? 1 : 0);
    }
  }

  program take() { return std::move(p_); }

 private:
  bool on_host() const { return t_.target == backend::host; }
  // A counter on the host never wraps.
  int slots_of(int s) const { return on_host() ? std::max(total_, 1) : t_.stages[s].ring.slots; }
  bool has_ring(int s) const { return t_.stages[s].ring.slots > 0; }
  int one_agent() const { return t_.agents.size() == 1; }
  int word_live() const { return p_.words; }
  int word_end() const { return p_.words + 1; }
  bool stops() const { return run_.stop_at >= 0; }

  void lay_out() {
    p_.begins.assign(t_.stages.size(), 0);
    for (const checked_buffer& b : t_.buffers) {
      first_slot_.push_back(int(p_.slots.size()));
      for (int k = 0; k < b.depth; ++k) p_.slots.push_back({int(first_slot_.size()) - 1, k});
    }
    for (int s = 0; s < int(t_.stages.size()); ++s) {
      first_signal_.push_back(int(p_.signals.size()));
      for (int k = 0; has_ring(s) && k < slots_of(s); ++k)
        p_.signals.push_back({s, k, on_host() ? 1 : t_.stages[s].ring.arrivals, 0});
    }
    // Two threads stand for all: any pair of an agent's threads that no step tells apart behaves like them. In an agent
    // of one warp they are its elected lane and another; otherwise its first warp and the rest, whose arrivals count.
    for (int a = 0; a < int(t_.agents.size()); ++a) {
      const bool lanes = t_.agents[a].warps == 1;
      p_.groups.emplace_back();
      for (int k = 0; k < (on_host() ? 1 : 2); ++k) {
        p_.groups.back().push_back(int(p_.threads.size()));
        p_.threads.push_back({a, t_.agents[a].name + (on_host() ? "" : lanes ? " lane " : " warp ") +
                                     (on_host() ? "" : std::to_string(k)), {}});
      }
    }
  }

  int slot(int buffer, int instance) const { return first_slot_[buffer] + instance % t_.buffers[buffer].depth; }

  // How many instances of every stage the run has, void ones included.
  int end_of(const run_case& r) const {
    if (r.stop_at < 0) return r.n;
    if (one_agent()) return std::min(r.n, r.stop_at + t_.stages[r.stopper].skew + 1);
    return r.seen_at < 0 ? r.n : r.seen_at + 1;
  }

  int leader() const {
    for (int s = 0; s < int(t_.stages.size()); ++s) if (t_.copies_in(s)) return t_.stages[s].agent;
    return -1;
  }
  int first_copy_in(int agent) const {
    for (const step& e : t_.agents[agent].loop) if (e.what == op::issue && t_.copies_in(e.stage)) return e.stage;
    return -1;
  }

  // Skipped, because the run stopped at an earlier instance.
  bool is_void(int s, int i, int step) const {
    if (!stops() || i <= run_.stop_at) return false;
    if (!t_.copies_in(s)) return true;
    return one_agent() ? step > run_.stop_at + t_.stages[run_.stopper].skew : i == run_.seen_at;
  }
  int begins_owed(int s) const {
    int count = 0;
    for (int i = 0; i < end_; ++i) count += !is_void(s, i, i + t_.stages[s].skew);
    const bool elected = t_.stages[s].engine == engine_kind::bulk_in || t_.stages[s].engine == engine_kind::bulk_out;
    return count * (elected || on_host() ? 1 : int(p_.groups[t_.stages[s].agent].size()));
  }

  void emit(event e) {
    e.step = step_;
    p_.threads[thread_].events.push_back(e);
  }
  void emit(act what, int stage, int instance, int where = -1, int value = 0, int weight = 0) {
    event e;
    e.what = what;
    e.stage = short(stage);
    e.instance = instance < 0 ? -1 : base_ + instance;
    e.where = where;
    e.value = value;
    e.weight = weight;
    emit(e);
  }
  void meet_warp() {
    if (!on_host() && t_.agents[agent_].warps == 1) emit(act::meet, -1, -1, agent_);
  }

  void unroll_run(int agent, int thread) {
    agent_ = agent;
    thread_ = thread;
    elected_ = thread == p_.groups[agent][0];
    const checked_agent& a = t_.agents[agent];
    step_ = 0;
    for (const step& e : a.prologue) wait_signal(e, -e.distance);
    for (step_ = 0; step_ < end_ + a.last_skew; ++step_)
      for (const step& e : a.loop) execute(e, e.stage < 0 ? -1 : step_ - t_.stages[e.stage].skew);
    if (end_ < run_.n) need_end();
    for (const step& e : a.drain) drain(e);
  }

  void wait_signal(const step& e, int instance) {
    if (e.distance < 0 || step_ < 0 ? instance >= end_ : false) {
      if (instance < run_.n) need_end();
      return;
    }
    if (!has_ring(e.on)) return;
    const int slots = slots_of(e.on), g = base_ + instance;
    if (on_host() && g < 0) return;
    const int phase = g >= 0 ? g / slots : -((-g + slots - 1) / slots);
    event w;
    w.what = act::wait;
    w.stage = short(e.stage);
    w.on = short(e.on);
    w.instance = g;
    w.where = first_signal_[e.on] + (g - phase * slots);
    w.value = phase;
    emit(w);
    meet_warp();
    if (stops() && !one_agent() && agent_ != leader()) emit(act::read, e.stage, -1, word_end());
  }
  void need_end() {
    if (stops() && !one_agent() && agent_ != leader()) emit(act::need, -1, -1, word_end());
  }

  void execute(const step& e, int i) {
    const bool due = i >= 0 && i < end_;
    switch (e.what) {
      case op::wait_signal: if (due) wait_signal(e, i - e.distance); return;
      case op::wait_groups: emit(act::wait_groups, e.stage, i, -1, e.count); return;
      case op::wait_reads: if (elected_) emit(act::wait_reads, e.stage, i, -1, e.count); return;
      case op::wait_writes: if (elected_) emit(act::wait_writes, e.stage, i, -1, e.count); return;
      case op::barrier: if (!on_host()) emit(act::meet, -1, -1, agent_); return;
      case op::commit: commit(e.stage, i); return;
      case op::issue: if (due) issue(e.stage, i); return;
      case op::agree: if (due) agree(e.stage, i); return;
      case op::fence: if (due && !on_host()) emit(act::fence, e.stage, i); return;
      case op::signal: if (due && i >= e.distance) signal(e.stage, i - e.distance); return;
    }
  }

  void drain(const step& e) {
    step_ = end_ + t_.agents[agent_].last_skew;
    if (e.what == op::wait_signal) {
      if (end_ >= e.distance) wait_signal(e, end_ - e.distance);
    } else if (e.what == op::signal) {
      for (int i = std::max(end_ - e.distance, 0); i < end_; ++i) signal(e.stage, i);
    } else {
      execute(e, end_);
    }
  }

  void commit(int s, int i) {
    const engine_kind engine = t_.stages[s].engine;
    if (engine == engine_kind::bulk_out && !elected_) return;
    event e;
    e.what = act::commit;
    e.engine = engine;
    e.stage = short(s);
    e.instance = i < 0 ? -1 : base_ + i;
    emit(e);
  }

  void signal(int s, int i) {
    if (!has_ring(s)) return;
    const bool one_lane = runs_in_one_warp(t_.stages[s].engine);
    const int warps = t_.agents[agent_].warps;
    if (!one_lane) meet_warp();
    if ((one_lane || warps == 1) && !elected_) return;
    arrive(act::arrive, s, i, one_lane || elected_ || on_host() ? 1 : warps - 1);
  }
  void arrive(act what, int s, int i, int weight) {
    const int slots = slots_of(s), g = base_ + i;
    emit(what, s, i, first_signal_[s] + g % slots, g / slots, weight);
  }

  void agree(int s, int i) {
    if (!on_host()) emit(act::meet, -1, -1, agent_);
    if (s == run_.stopper && i == run_.stop_at && elected_ && !one_agent()) emit(act::set, s, i, word_live());
  }

  // The agent that copies in decides where the run ends: at the first instance before which it sees the stop.
  void look(int s, int i) {
    if (!stops() || one_agent() || agent_ != leader() || s != first_copy_in(agent_)) return;
    if (i < run_.seen_at || run_.seen_at < 0) emit(act::miss, s, i, word_live());
    if (i != run_.seen_at) return;
    emit(act::see, s, i, word_live());
    if (elected_) emit(act::set, s, i, word_end());
  }

  void issue(int s, int i) {
    const checked_stage& stage = t_.stages[s];
    const bool one_lane = runs_in_one_warp(stage.engine);
    if (!one_lane || elected_) look(s, i);
    if (is_void(s, i, step_)) {
      if (!t_.copies_in(s) && !one_agent() && stage.agent != t_.stages[run_.stopper].agent)
        emit(act::need, s, i, word_live());
      if (stage.engine == engine_kind::bulk_in && elected_ && has_ring(s)) arrive(act::arrive, s, i, 1);
      return;
    }
    if (one_lane && !elected_) return;
    emit(act::begin, s, i);
    if (is_async(stage.engine)) start_copy(s, i);
    else access(s, i);
  }

  // The stage that a reader at iteration i must find the value of in iteration x of the buffer.
  int last_writer(int buffer, int reader, int x, int i) const {
    int last = -1;
    for (int w = 0; w < int(t_.stages.size()); ++w)
      for (int written : t_.stages[w].writes) if (written == buffer && (x < i || w < reader)) last = w;
    return last;
  }
  std::vector<slot_access> loads(int s, int i) const {
    std::vector<slot_access> all;
    for (const read_access& r : t_.stages[s].reads)
      for (int x = std::max(i + r.window.first, 0); x <= std::min(i + r.window.last, run_.n - 1); ++x) {
        const int w = last_writer(r.buffer, s, x, i);
        all.push_back({slot(r.buffer, base_ + x), w < 0 ? 0 : version_of(w, base_ + x)});
      }
    return all;
  }
  std::vector<slot_access> stores(int s, int i) const {
    std::vector<slot_access> all;
    for (int b : t_.stages[s].writes) all.push_back({slot(b, base_ + i), version_of(s, base_ + i)});
    return all;
  }
  void access(int s, int i) {
    for (const slot_access& l : loads(s, i)) emit(act::load, s, i, l.where, l.value);
    for (const slot_access& w : stores(s, i)) emit(act::store, s, i, w.where, w.value);
  }
  void start_copy(int s, int i) {
    const checked_stage& stage = t_.stages[s];
    async_copy_op c;
    c.engine = stage.engine;
    c.stage = s;
    c.instance = base_ + i;
    c.loads = loads(s, i);
    c.stores = stores(s, i);
    if (stage.engine == engine_kind::bulk_in && has_ring(s)) {
      c.signal = first_signal_[s] + (base_ + i) % slots_of(s);
      c.phase = (base_ + i) / slots_of(s);
      c.bytes = int(stage.bytes);
      arrive(act::expect, s, i, int(stage.expected));
    }
    p_.copies.push_back(c);
    event e;
    e.what = act::issue;
    e.engine = stage.engine;
    e.stage = short(s);
    e.instance = base_ + i;
    e.where = int(p_.copies.size()) - 1;
    emit(e);
  }

  const table& t_;
  const scenario& runs_;
  program p_;
  std::vector<int> first_slot_;
  std::vector<int> first_signal_;
  int total_ = 0;
  // the run, agent, thread and step being unrolled
  run_case run_;
  int base_ = 0;
  int end_ = 0;
  int agent_ = 0;
  int thread_ = 0;
  int step_ = 0;
  bool elected_ = false;
};

}  // namespace detail

inline program unroll(const table& t, const scenario& runs) { return detail::unroller(t, runs).take(); }

}  // namespace penstock::check
