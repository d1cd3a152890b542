#include "lowering_text.hpp"

#include "lowering_table.hpp"
#include "text_lines.hpp"
#include "utf8.hpp"
#include "words.hpp"

#include <fmt/format.h>
#include <penstock/lower/instructions.hpp>

#include <algorithm>

namespace penstock::command {
namespace {

const char* lanes_text(lanes by) {
  switch (by) {
    case lanes::all:
      return "all lanes";
    case lanes::warp_leaders:
      return "a lane of each warp";
    case lanes::first_warp:
      return "the first warp";
    case lanes::issuer:
      return "one lane";
    case lanes::block_leader:
      return "thread 0";
  }
  return "";
}

class report : public text_lines {
 public:
  explicit report(const lowering_table& l) : l_(l) {
    say("\nlowered for {}, {}: {}, {} a block, {}", backend_name(l.target),
        l.agents.size() == 1 ? "uniform" : "specialised", counted(l.agents.size(), "agent"),
        counted(l.warps, is_host() ? "thread" : "warp"),
        counted(l.signal_count, is_host() ? "completion counter" : "mbarrier"));
    for (const auto& s : l.mapped.stages) width_ = std::max(width_, characters(s.name));
    if (l.signal_count > 0 && !is_host()) say_signals();
    if (fences_between_uses(l))
      say("\n  before the first run, {}: {}", lanes_text(lanes::all), opcode_of(instruction::fence_proxy));
    for (int a = 0; a < l.agents.size(); ++a) say_agent(a);
  }

 private:
  bool is_host() const { return l_.target == backend::host; }
  std::string_view name(int stage) const { return l_.mapped.stages[stage].name; }

  void say_signals() {
    say("\n  mbarriers: iteration k uses slot k mod slots; a wait tests the parity of its phase, k / slots");
    for (int s = 0; s < l_.rings.size(); ++s) {
      const signal_ring& ring = l_.rings[s];
      if (ring.slots == 0) continue;
      say("    {}{:{}}  {}; {}{} complete{} a phase", name(s), "", width_ - characters(name(s)),
          counted(ring.slots, "slot"), counted(ring.arrivals, "arrival"),
          l_.engines[s] == engine_kind::bulk_in ? " and the bytes of the copy" : "",
          ring.arrivals == 1 && l_.engines[s] != engine_kind::bulk_in ? "s" : "");
    }
    for (instruction what : {instruction::init_signal, instruction::publish_signals})
      say("    {:{}}    before the first run, {}: {}", "", width_, lanes_text(lanes::block_leader), opcode_of(what));
    say("    {:{}}    after the last, {}: {}", "", width_, lanes_text(lanes::block_leader),
        opcode_of(instruction::invalidate_signal));
  }

  void say_agent(int a) {
    const auto& program = l_.agents[a];
    say("\n  agent `{}`{}: every step{}", program.name, is_host() ? "" : ", " + counted(program.warps, "warp"),
        program.last_skew > 0 ? fmt::format(", {} more than there are iterations", program.last_skew) : "");
    for (const step& s : program.loop) say_step(a, s, false);
    if (!program.drain.empty()) say("  at the end");
    for (const step& s : program.drain) say_step(a, s, true);
  }

  void say_step(int agent, const step& s, bool draining) {
    const std::string stage = s.stage < 0 ? "" : std::string(name(s.stage));
    const std::string skew = s.stage >= 0 && l_.mapped.stages[s.stage].skew > 0 && s.what == op::issue
                                 ? fmt::format(", {} behind the step", l_.mapped.stages[s.stage].skew)
                                 : "";
    say("    {}{:{}}  {}{}", stage, "", width_ - characters(stage), words(s, draining), skew);
    if (is_host()) return;
    for (const emitted& e : instructions_of(l_, agent, s, draining))
      if (e.what != instruction::call)
        say("    {:{}}    {}: {}{}", "", width_, lanes_text(e.by), opcode_of(e.what), operands(e));
  }

  static std::string operands(const emitted& e) {
    switch (e.what) {
      case instruction::wait_copies:
      case instruction::wait_bulk_reads:
      case instruction::wait_bulk:
        return fmt::format(" {}", e.number);
      case instruction::barrier:
      case instruction::vote:
        return e.threads > 0 ? fmt::format(" {}, {}", e.number, e.threads) : fmt::format(" {}", e.number);
      default:
        return "";
    }
  }

  std::string purpose(const step& s) const {
    if (s.guard < 0) return "";
    const guard& g = l_.guards[s.guard];
    return fmt::format(" ({} on `{}`)", detail::hazard_name(g.kind), l_.mapped.buffers[g.buffer].name);
  }

  std::string words(const step& s, bool draining) const {
    switch (s.what) {
      case op::wait_signal:
        if (draining) return fmt::format("wait for the instance {} before the end", s.distance);
        return fmt::format("wait for `{}` {}{}", name(s.on), which_iteration(s.distance), purpose(s));
      case op::wait_first:
        return fmt::format("in the first step only, wait for instance {} of `{}`{}", -s.distance, name(s.on),
                           purpose(s));
      case op::wait_groups:
        return fmt::format("wait until at most {} of this thread's copies are pending{}", s.count, purpose(s));
      case op::wait_reads:
        return fmt::format("wait until at most {} of the copies out still read their slots{}", s.count, purpose(s));
      case op::wait_writes:
        return fmt::format("wait until at most {} of the copies out are incomplete", s.count);
      case op::barrier:
        return "barrier of the agent";
      case op::issue:
        return issue_words(l_.engines[s.stage]);
      case op::agree:
        return "agree whether to stop";
      case op::commit:
        return "close the group of this instance's copies";
      case op::fence:
        return "order these accesses before those of the copy engine";
      case op::signal:
        return "signal completion" + (s.distance == 0 ? "" : ", " + which_iteration(s.distance));
    }
    return "";
  }

  static std::string issue_words(engine_kind k) {
    switch (k) {
      case engine_kind::body:
        return "run the function";
      case engine_kind::copy:
        return "copy with loads and stores";
      case engine_kind::async_copy:
        return "start an async copy into the slot";
      case engine_kind::bulk_in:
        return "start a bulk copy into the slot";
      case engine_kind::bulk_out:
        return "start a bulk copy out of the slot";
      case engine_kind::source:
        return "ask the source for work";
    }
    return "";
  }

  const lowering_table& l_;
  int width_ = 0;
};

}  // namespace

std::string lowering_text(const parsed_plan& p, std::string_view source, backend target, bool uniform_mapping) {
  return report(*lower_plan(p.value, source, target, uniform_mapping)).text();
}

}  // namespace penstock::command
