// Every interleaving of a scenario, by value: threads, copies that read, write and complete late, early, out of order
// and torn, and signals as the hardware has them, one parity bit a wait. It knows nothing of clocks, so that it checks
// the checker; it grows so fast that only small plans finish.
#pragma once

#include <penstock/check/report.hpp>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

namespace penstock::check {

struct search_result {
  fault kind = fault::none;
  std::string message;
  long long states = 0;
  bool finished = true;  // false: gave up at the limit
  bool sound() const { return kind == fault::none; }
};

namespace detail {

class searcher {
 public:
  searcher(const table& t, const program& p, long long limit)
      : p_(p), say_(t, p), limit_(limit), owner_(p.copies.size()), group_(p.copies.size()), closed_(p.threads.size()) {
    for (std::size_t t_index = 0; t_index < p.threads.size(); ++t_index) follow(int(t_index));
    at_signals_ = 2 * p.threads.size();
    at_copies_ = at_signals_ + signal_bytes * p.signals.size();
    at_slots_ = at_copies_ + p.copies.size();
    size_ = at_slots_ + 4 * p.slots.size() + std::size_t(p.words);
  }

  search_result run() {
    state first(size_, 0);
    for (std::size_t s = 0; s < p_.signals.size(); ++s)
      first[at_signals_ + signal_bytes * s + 1] = std::uint8_t(p_.signals[s].arrivals);
    add(first);
    while (!open_.empty() && result_.sound() && result_.finished) {
      const state s = open_.back();
      open_.pop_back();
      expand(s);
      if (result_.states > limit_) result_.finished = false;
    }
    return result_;
  }

 private:
  using state = std::vector<std::uint8_t>;
  struct hash {
    std::size_t operator()(const state& s) const {
      return std::hash<std::string_view>()({reinterpret_cast<const char*>(s.data()), s.size()});
    }
  };
  static constexpr std::size_t signal_bytes = 6;  // phase, pending arrivals, pending bytes
  enum progress : std::uint8_t { started = 1, first_half = 2, second_half = 4, complete = 8 };

  // Groups are fixed by a thread's own events.
  void follow(int t) {
    int closed[2]{};
    for (const event& e : p_.threads[t].events) {
      closed_[t].push_back({closed[0], closed[1]});
      if (e.what == act::commit) ++closed[kind_of(e.engine)];
      if (e.what == act::issue) {
        owner_[e.where] = t;
        group_[e.where] = closed[kind_of(e.engine)];
      }
    }
  }
  static int kind_of(engine_kind e) { return e == engine_kind::async_copy ? 0 : 1; }

  std::size_t at(const state& s, int t) const { return std::size_t(s[2 * t]) | std::size_t(s[2 * t + 1]) << 8; }
  const event* next(const state& s, int t) const {
    const std::size_t k = at(s, t);
    return k < p_.threads[t].events.size() ? &p_.threads[t].events[k] : nullptr;
  }
  void advance(state& s, int t) const {
    const std::size_t k = at(s, t) + 1;
    s[2 * t] = std::uint8_t(k);
    s[2 * t + 1] = std::uint8_t(k >> 8);
  }
  int half(const state& s, int slot, int h) const {
    return s[at_slots_ + 4 * slot + 2 * h] | s[at_slots_ + 4 * slot + 2 * h + 1] << 8;
  }
  void put(state& s, int slot, int h, int value) const {
    s[at_slots_ + 4 * slot + 2 * h] = std::uint8_t(value);
    s[at_slots_ + 4 * slot + 2 * h + 1] = std::uint8_t(value >> 8);
  }
  void fail(fault kind, const std::string& message) {
    if (!result_.sound()) return;
    result_.kind = kind;
    result_.message = message;
  }

  // What only the thread itself can tell from what comes next needs no interleaving.
  static bool is_private(act a) {
    return a == act::begin || a == act::commit || a == act::fence || a == act::peek || a == act::need || a == act::miss;
  }
  void add(state s) {
    for (int t = 0; t < int(p_.threads.size()); ++t)
      for (const event* e = next(s, t); e != nullptr && is_private(e->what); e = next(s, t)) {
        if (e->what == act::miss && s[size_ - 1 - e->where] != 0) return;  // found after all: another scenario
        advance(s, t);
      }
    if (!seen_.insert(s).second) return;
    ++result_.states;
    open_.push_back(std::move(s));
  }

  void expand(const state& s) {
    bool moved = false, left = true;
    for (int t = 0; t < int(p_.threads.size()); ++t) {
      const event* e = next(s, t);
      if (e == nullptr) continue;
      left = false;
      state z = s;
      if (e->what == act::meet ? meet(z, e->where, t) : perform(z, t, *e)) {
        moved = true;
        add(std::move(z));
      }
    }
    for (int c = 0; c < int(p_.copies.size()) && result_.sound(); ++c) moved = move_copy(s, c, left) || moved;
    if (left) check_end(s);
    else if (!moved) report_deadlock(s);
  }
  bool meet(state& s, int group, int mover) {
    for (int u : p_.groups[group]) {
      const event* e = next(s, u);
      if (e == nullptr || e->what != act::meet || e->where != group) return false;
    }
    if (p_.groups[group][0] != mover) return false;  // one of them moves all
    for (int u : p_.groups[group]) advance(s, u);
    return true;
  }
  bool perform(state& s, int t, const event& e) {
    switch (e.what) {
      case act::load: expect(s, e.where, 0, e); expect(s, e.where, 1, e); break;
      case act::store: put(s, e.where, 0, e.value); put(s, e.where, 1, e.value); break;
      case act::issue: s[at_copies_ + e.where] = started; break;
      case act::wait: if ((s[at_signals_ + signal_bytes * e.where] & 1) == (e.value & 1)) return false; break;
      case act::arrive: arrive(s, e.where, e.weight, 0); break;
      case act::expect: arrive(s, e.where, 1, e.weight); break;
      case act::wait_groups: if (!groups_done(s, t, 0, e.value, complete)) return false; break;
      case act::wait_reads: if (!groups_done(s, t, 1, e.value, first_half | second_half)) return false; break;
      case act::wait_writes: if (!groups_done(s, t, 1, e.value, complete)) return false; break;
      case act::set: s[size_ - 1 - e.where] = 1; break;
      case act::see: if (s[size_ - 1 - e.where] == 0) return false; break;
      default: break;
    }
    advance(s, t);
    return true;
  }
  void expect(const state& s, int slot, int h, const event& e) {
    const int found = half(s, slot, h);
    if (found != e.value && found != version_of(e.stage, e.instance))
      fail(fault::wrong_value, say_.iteration(e.stage, e.instance) + " finds " + say_.version(found) + " in " +
                                   say_.slot(slot) + " where it needs " + say_.version(e.value));
  }
  void arrive(state& s, int signal, int arrivals, int bytes) {
    std::uint8_t* raw = &s[at_signals_ + signal_bytes * signal];
    if (raw[1] < arrivals) return fail(fault::phase, "more arrivals than the signal counts");
    raw[1] = std::uint8_t(raw[1] - arrivals);
    add_bytes(raw, bytes);
    finish_phase(signal, raw);
  }
  static std::int32_t bytes_of(const std::uint8_t* raw) {
    std::int32_t b;
    std::memcpy(&b, raw + 2, sizeof b);
    return b;
  }
  static void add_bytes(std::uint8_t* raw, int bytes) {
    const std::int32_t b = bytes_of(raw) + bytes;
    std::memcpy(raw + 2, &b, sizeof b);
  }
  void finish_phase(int signal, std::uint8_t* raw) {
    if (raw[1] != 0 || bytes_of(raw) != 0) return;
    ++raw[0];
    raw[1] = std::uint8_t(p_.signals[signal].arrivals);
  }
  bool groups_done(const state& s, int t, int kind, int may_stay, int needed) const {
    const int closed = closed_[t][at(s, t)][kind];
    for (std::size_t c = 0; c < p_.copies.size(); ++c)
      if (owner_[c] == t && kind_of(p_.copies[c].engine) == kind && p_.copies[c].engine != engine_kind::bulk_in &&
          s[at_copies_ + c] != 0 && group_[c] < closed - may_stay && (s[at_copies_ + c] & needed) != needed)
        return false;
    return true;
  }

  // Each half of a copy moves when it likes; its completion comes after both.
  bool move_copy(const state& s, int c, bool all_left) {
    const std::uint8_t done = s[at_copies_ + c];
    if (done == 0 || (done & complete)) return false;
    if (all_left) {
      const async_copy_op& op = p_.copies[c];
      fail(fault::in_flight, "the copy of " + say_.iteration(op.stage, op.instance) + " is in flight at the end");
      return true;
    }
    for (int h = 0; h < 2; ++h) {
      const std::uint8_t bit = h == 0 ? first_half : second_half;
      if (done & bit) continue;
      state z = s;
      for (const slot_access& a : p_.copies[c].loads)
        if (half(s, a.where, h) != a.value)
          fail(fault::wrong_value, "the copy of " + say_.iteration(p_.copies[c].stage, p_.copies[c].instance) +
                                       " finds " + say_.version(half(s, a.where, h)) + " in " + say_.slot(a.where));
      for (const slot_access& a : p_.copies[c].stores) put(z, a.where, h, a.value);
      z[at_copies_ + c] = std::uint8_t(done | bit);
      add(std::move(z));
    }
    if ((done & (first_half | second_half)) == (first_half | second_half)) {
      state z = s;
      z[at_copies_ + c] = std::uint8_t(done | complete);
      if (const int signal = p_.copies[c].signal; signal >= 0) {
        add_bytes(&z[at_signals_ + signal_bytes * signal], -p_.copies[c].bytes);
        finish_phase(signal, &z[at_signals_ + signal_bytes * signal]);
      }
      add(std::move(z));
    }
    return true;
  }

  void check_end(const state& s) {
    for (std::size_t k = 0; k < p_.signals.size(); ++k)
      if (s[at_signals_ + signal_bytes * k] != p_.signals[k].phases ||
          s[at_signals_ + signal_bytes * k + 1] != p_.signals[k].arrivals)
        fail(fault::in_flight,
             "the signal of '" + say_.stage(p_.signals[k].stage) + "' ends in another phase than is due");
  }
  void report_deadlock(const state& s) {
    for (int t = 0; t < int(p_.threads.size()); ++t)
      if (const event* e = next(s, t); e != nullptr && e->what == act::see)
        return;  // not found in time: another scenario
    std::string text = "no thread can go on: ";
    for (int t = 0; t < int(p_.threads.size()); ++t)
      if (const event* e = next(s, t)) text += p_.threads[t].name + " " + say_.act_of(*e) + "; ";
    fail(fault::deadlock, text);
  }

  const program& p_;
  narrator say_;
  long long limit_;
  std::vector<int> owner_;
  std::vector<int> group_;
  struct closed_groups {
    int of[2];
    int operator[](int kind) const { return of[kind]; }
  };
  std::vector<std::vector<closed_groups>> closed_;
  std::size_t at_signals_ = 0, at_copies_ = 0, at_slots_ = 0, size_ = 0;
  std::unordered_set<state, hash> seen_;
  std::vector<state> open_;
  search_result result_;
};

}  // namespace detail

// For a program whose looks at the stop protocol's words are decided: see and miss events as the scenario says.
inline search_result search(const table& t, const program& p, long long limit) {
  if (!p.inconsistency.empty()) return {fault::inconsistent, p.inconsistency, 0, true};
  return detail::searcher(t, p, limit).run();
}

}  // namespace penstock::check
