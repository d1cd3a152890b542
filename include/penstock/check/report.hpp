// Faults, and the schedule that shows one: which thread does what, with stage, iteration and slot by name.
#pragma once

#include <penstock/check/unroll.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::check {

enum class fault : unsigned char {
  none,
  race,          // two accesses to a slot, one of them a write, that nothing orders
  proxy,         // ordered, but without the fence between threads' accesses and the bulk engine's
  wrong_value,   // ordered, but a reader finds another instance's value
  phase,         // a wait or an arrival may meet another phase of its signal than the one it is meant for
  bytes,         // a signal expects other bytes than arrive
  word,          // a thread relies on the stop protocol's word without being ordered after its write
  in_flight,     // a copy, or a signal's phase, is not complete when the storage is given back
  deadlock,
  inconsistent   // threads or agents disagree on what they run
};

inline std::string_view fault_name(fault f) {
  constexpr std::string_view names[] = {"no fault", "race", "missing proxy fence", "wrong value", "wrong phase",
                                        "wrong byte count", "unordered word", "in flight at exit", "deadlock",
                                        "inconsistent"};
  return names[static_cast<int>(f)];
}

struct verdict {
  fault kind = fault::none;
  bool feasible = true;               // false: no schedule makes the looks find what the scenario says
  std::string message;                // one sentence
  std::vector<std::string> schedule;  // what led there, one event a line, in an order that can happen
  bool sound() const { return kind == fault::none; }
};

// Turns events into words.
class narrator {
 public:
  narrator(const table& t, const program& p) : t_(t), p_(p) {}

  const std::string& stage(int s) const { return t_.stages[s].name; }
  int agent_of(int s) const { return t_.stages[s].agent; }
  std::string iteration(int stage, int instance) const {
    return "'" + t_.stages[stage].name + "' iteration " + std::to_string(instance);
  }
  std::string slot(int where) const {
    const slot_info& s = p_.slots[where];
    return t_.buffers[s.buffer].name + "[" + std::to_string(s.slot) + "]";
  }
  std::string version(int value) const {
    return value == 0 ? "nothing" : iteration(stage_of(value), instance_of(value));
  }
  std::string signal(int where, int phase) const {
    const signal_info& s = p_.signals[where];
    return "slot " + std::to_string(s.slot) + ", phase " + std::to_string(phase);
  }

  std::string act_of(const event& e) const {
    switch (e.what) {
      case act::begin: return "starts " + iteration(e.stage, e.instance);
      case act::load: return iteration(e.stage, e.instance) + " reads " + slot(e.where);
      case act::store: return iteration(e.stage, e.instance) + " writes " + slot(e.where);
      case act::issue: return "starts the copy of " + iteration(e.stage, e.instance) + moved(p_.copies[e.where]);
      case act::wait: return "waits for " + iteration(e.on, e.instance) + " (" + signal(e.where, e.value) + ")";
      case act::arrive: return "signals " + iteration(e.stage, e.instance) + " (" + signal(e.where, e.value) + ")";
      case act::expect:
        return "signals " + iteration(e.stage, e.instance) + " and expects " + std::to_string(e.weight) + " bytes (" +
               signal(e.where, e.value) + ")";
      case act::commit: return "closes a group of '" + t_.stages[e.stage].name + "'";
      case act::wait_groups: return "waits until at most " + std::to_string(e.value) + " cp.async groups are pending";
      case act::wait_reads: return "waits until at most " + std::to_string(e.value) + " bulk groups still read";
      case act::wait_writes: return "waits until at most " + std::to_string(e.value) + " bulk groups are incomplete";
      case act::fence: return "fences its accesses against the bulk engine's";
      case act::meet: {
        const int agents = int(t_.agents.size());
        return e.where < agents ? "meets its agent's threads"
                                : e.where < 2 * agents ? "meets its warp" : "meets the whole block";
      }
      case act::set: return "says that the run " + word(e.where);
      case act::see: return "finds that the run " + word(e.where);
      case act::miss: return "does not yet find that the run " + word(e.where);
      case act::peek: return "looks whether the run " + word(e.where);
      case act::need: return "relies on knowing that the run " + word(e.where);
    }
    return {};
  }
  std::string line(int thread, const event& e) const {
    std::string who = p_.threads[thread].name;
    who.resize(std::max<std::size_t>(who.size(), 16), ' ');
    std::string step = std::to_string(e.step);
    step.insert(0, step.size() < 3 ? 3 - step.size() : 0, ' ');
    return who + " step " + step + "  " + act_of(e);
  }

 private:
  static std::string word(int where) { return where % 2 == 0 ? "stops" : "ends"; }
  std::string moved(const async_copy_op& c) const {
    std::string text;
    for (const slot_access& a : c.loads) text += " out of " + slot(a.where);
    for (const slot_access& a : c.stores) text += " into " + slot(a.where);
    return text;
  }

  const table& t_;
  const program& p_;
};

}  // namespace penstock::check
