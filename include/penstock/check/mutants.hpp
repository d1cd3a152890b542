// Every small way to break a lowering table: what the checker must object to, or else show to be superfluous.
#pragma once

#include <penstock/check/explore.hpp>

#include <string>
#include <utility>
#include <vector>

namespace penstock::check {

struct mutant {
  std::string what;
  table broken;
};

inline std::string_view op_name(op o) {
  constexpr std::string_view names[] = {"wait_signal", "wait_first", "wait_groups", "wait_reads",
                                        "wait_writes", "barrier",    "issue",       "agree",
                                        "commit",      "fence",      "signal"};
  return names[static_cast<int>(o)];
}

namespace detail {

class mutator {
 public:
  explicit mutator(const table& t) : t_(t) {}

  std::vector<mutant> all() {
    for (std::size_t a = 0; a < t_.agents.size(); ++a) {
      for (std::size_t k = 0; k < t_.agents[a].loop.size(); ++k) in_program(a, &checked_agent::loop, k);
      for (std::size_t k = 0; k < t_.agents[a].drain.size(); ++k) in_program(a, &checked_agent::drain, k);
    }
    for (std::size_t s = 0; s < t_.stages.size(); ++s) in_ring(s);
    if (t_.meets_between_runs && !t_.stops() && t_.target != backend::host)
      add("without the block's meeting between runs", [](table& t) { t.meets_between_runs = false; });
    return std::move(all_);
  }

 private:
  using program_of = std::vector<step> checked_agent::*;

  std::string name(std::size_t a, program_of where, const step& e) const {
    std::string text =
        t_.agents[a].name + (where == &checked_agent::drain ? ", drain: " : ": ") + std::string(op_name(e.what));
    if (e.stage >= 0) text += " of '" + t_.stages[e.stage].name + "'";
    if (e.on >= 0 && e.on != e.stage) text += " on '" + t_.stages[e.on].name + "'";
    if (e.what == op::wait_signal || e.what == op::wait_first || e.what == op::signal)
      text += " at distance " + std::to_string(e.distance);
    return text;
  }
  template <class Change>
  void add(const std::string& what, Change&& change) {
    all_.push_back({what, t_});
    change(all_.back().broken);
  }
  void in_program(std::size_t a, program_of where, std::size_t k) {
    const step& e = (t_.agents[a].*where)[k];
    const std::string of = " " + name(a, where, e);
    const bool host = t_.target == backend::host;
    if (host && (e.what == op::barrier || e.what == op::agree || e.what == op::fence)) return;  // one thread an agent
    const auto edit = [&](const std::string& how, auto&& change) {
      add(how + of, [&](table& t) { change((t.agents[a].*where)[k]); });
    };
    add("without" + of, [&](table& t) { (t.agents[a].*where).erase((t.agents[a].*where).begin() + long(k)); });
    switch (e.what) {
      case op::wait_signal: case op::wait_first: case op::signal:
        edit("one nearer:", [](step& s) { --s.distance; });
        edit("one further:", [](step& s) { ++s.distance; });
        if (e.what == op::signal || host) break;
        edit("a phase late:", [&](step& s) { s.distance -= t_.stages[e.on].ring.slots; });
        edit("a phase early:", [&](step& s) { s.distance += t_.stages[e.on].ring.slots; });
        break;
      case op::wait_reads: case op::wait_writes: case op::wait_groups:
        edit("one more pending:", [](step& s) { ++s.count; });
        if (e.count > 0) edit("one fewer pending:", [](step& s) { --s.count; });
        if (e.what == op::wait_reads) edit("full wait instead:", [](step& s) { s.what = op::wait_writes; });
        if (e.what == op::wait_writes) edit("only reads instead:", [](step& s) { s.what = op::wait_reads; });
        break;
      case op::issue:  // somebody else is told before it is done
        move(a, where, k, op::signal, "told before:");
        break;
      case op::fence: move(a, where, k, op::signal, "told before:"); break;
      default: break;
    }
  }
  // The next step of this kind and stage in front of step k.
  void move(std::size_t a, program_of where, std::size_t k, op kind, const std::string& how) {
    const std::vector<step>& steps = t_.agents[a].*where;
    for (std::size_t later = k + 1; later < steps.size(); ++later)
      if (steps[later].what == kind && steps[later].stage == steps[k].stage) {
        add(how + " " + name(a, where, steps[k]), [&](table& t) {
          auto& all = t.agents[a].*where;
          all.erase(all.begin() + long(later));
          all.insert(all.begin() + long(k), steps[later]);
        });
        return;
      }
  }
  void in_ring(std::size_t s) {
    const checked_stage& stage = t_.stages[s];
    if (stage.ring.slots == 0 || t_.target == backend::host) return;  // the host counts instead
    const std::string of = " signal of '" + stage.name + "'";
    add("one arrival more:" + of, [&](table& t) { ++t.stages[s].ring.arrivals; });
    if (stage.ring.arrivals > 1) add("one arrival fewer:" + of, [&](table& t) { --t.stages[s].ring.arrivals; });
    if (stage.ring.slots > 1) add("one slot fewer:" + of, [&](table& t) { --t.stages[s].ring.slots; });
    if (stage.engine != engine_kind::bulk_in) return;
    add("16 bytes more:" + of, [&](table& t) { t.stages[s].expected += 16; });
    add("16 bytes fewer:" + of, [&](table& t) { t.stages[s].expected -= 16; });
  }

  const table& t_;
  std::vector<mutant> all_;
};

}  // namespace detail

inline std::vector<mutant> mutants_of(const table& t) { return detail::mutator(t).all(); }

enum class fate : unsigned char {
  killed,      // some scenario fails
  waits_more,  // sound, and never ordered after less, but somewhere after more: a slower table, not a wrong one
  superfluous  // sound, and the original orders nothing more than this or nothing that is needed: a step too many
};

inline fate judge(const table& sound, const table& broken, const std::vector<scenario>& scenarios) {
  bool more = false, less = false;
  for (const scenario& s : scenarios) {
    std::vector<unsigned> before, after;
    const program q = unroll(broken, s);
    const verdict v = detail::happens_before(broken, q).decide(&after);
    if (!v.sound()) return fate::killed;
    const program p = unroll(sound, s);
    // a wait changes when the agent that copies in can find the stop: a scenario then belongs to one of the two tables
    if (!v.feasible || !detail::happens_before(sound, p).decide(&before).feasible) continue;
    if (before.size() != after.size()) {
      less = true;
      continue;
    }
    for (std::size_t k = 0; k < before.size(); ++k) {
      more = more || after[k] > before[k];
      less = less || after[k] < before[k];
    }
  }
  return more && !less ? fate::waits_more : fate::superfluous;
}

}  // namespace penstock::check
