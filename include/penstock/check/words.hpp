// The words that stages compute with in the executor, and those that the sequential program would leave. Each depends
// on all that its instance read, on its place and on its iteration.
#pragma once

#include <penstock/check/report.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace penstock::check::detail {

inline constexpr int slot_words = 8;  // two halves of 16 bytes: the smallest that a copy can tear

class word_rules {
 protected:
  using word = std::uint32_t;
  word_rules(const table& t, const program& p) : t_(t), p_(p) {}

  static word mix(word x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
  }
  static word start(int stage, int instance, int k) { return mix(word(version_of(stage, instance)) * 64u + word(k)); }
  // Threads read words that others wrote, except in place: there the body's threads are on their own.
  static int from(int k, bool own) { return own ? k : (5 * k + 3) % slot_words; }
  bool is_own(int stage, int instance, int where) const {
    const slot_info& s = p_.slots[where];
    if (instance % t_.buffers[s.buffer].depth != s.slot) return false;
    for (int b : t_.stages[stage].writes) if (b == s.buffer) return true;
    return false;
  }
  // What to do next, not data.
  bool is_item(const event& load) const { return t_.source() >= 0 && stage_of(load.value) == t_.source(); }
  bool is_output(int stage) const { return t_.stages[stage].writes.empty(); }

  const table& t_;
  const program& p_;
};

class sequential_words : word_rules {
 public:
  sequential_words(const table& t, const program& p) : word_rules(t, p) {
    for (const modelled_thread& m : p.threads)
      for (const event& e : m.events) {
        if (e.what == act::load && !is_item(e)) reads_[version_of(e.stage, e.instance)].push_back({e.where, e.value});
        if (e.what == act::issue) reads_[version_of(e.stage, e.instance)] = p.copies[e.where].loads;
      }
  }

  word passed_out(int version, int k) { return word_of(version, -1, k); }

 private:
  // What this instance leaves in a slot, or passes out (where = -1).
  word word_of(int version, int where, int k) {
    const auto key = std::make_pair(version, where * slot_words + k);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const int stage = stage_of(version), instance = instance_of(version);
    word sum = start(stage, instance, k);
    std::vector<slot_access> seen;
    for (const slot_access& l : reads_[version]) {  // every thread of the instance lists them
      const auto same = [&](const slot_access& s) { return s.where == l.where && s.value == l.value; };
      if (l.value == 0 || std::any_of(seen.begin(), seen.end(), same)) continue;
      seen.push_back(l);
      sum = mix(sum * 31u + word_of(l.value, l.where, from(k, is_own(stage, instance, l.where))));
    }
    return known_[key] = where < 0 ? sum : mix(sum + word(where));
  }

  std::map<int, std::vector<slot_access>> reads_;
  std::map<std::pair<int, int>, word> known_;
};

}  // namespace penstock::check::detail
