#include "simulate_report.hpp"

#include "text_lines.hpp"
#include "words.hpp"

#include <fmt/format.h>

#include <cmath>

namespace penstock::command {
namespace {

// Where an agent's time went: at work, held by each guard, and with nothing to do before its first and after
// its last.
struct agent_time {
  double busy = 0;
  double held = 0;
  int worst_guard = -1;
};

agent_time account(const bounded_plan& p, const std::vector<guard>& guards, const simulation& s, int agent) {
  agent_time out;
  std::vector<double> held(guards.size());
  for (int stage = 0; stage < p.stages.size(); ++stage) {
    if (p.stages[stage].agent != agent) continue;
    for (const instance& i : s.stages[std::size_t(stage)]) {
      out.busy += i.freed - i.start;
      out.held += i.start - i.ready;
      if (i.held_by >= 0) held[std::size_t(i.held_by)] += i.start - i.ready;
    }
  }
  for (std::size_t k = 0; k < held.size(); ++k)
    if (held[k] > 0 && (out.worst_guard < 0 || held[k] > held[std::size_t(out.worst_guard)]))
      out.worst_guard = static_cast<int>(k);
  return out;
}

class report : public text_lines {
 public:
  report(const bounded_plan& p, const analysis& a, const simulation& s, bool assumed) : p_(p), a_(a), s_(s) {
    const timeline drawn = timeline_of(p, a.guards, s);
    say("{} of {} in {}", counted(s.iterations(), "iteration"), counted(p.stages.size(), "stage"), time_text(s.end_ns));
    if (assumed) say("no stage gives \"issue\" or \"latency\": 1 ns to issue and 1 ns to complete assumed for each");
    say_period();
    for (const timeline_phase& f : drawn.phases)
      say("{:<13} {} to {}", f.name, time_text(f.span.begin), time_text(f.span.end));
    if (drawn.phases.empty()) say("too few iterations for a steady state");
    say("");
    for (int agent = 0; agent < p.agents.size(); ++agent) say_agent(agent);
    append("\n" + timeline_text(drawn));
  }

 private:
  void say_period() {
    const double predicted = a_.bound ? a_.bound->period_ns() : 0;
    if (s_.steady) {
      const int cycle = s_.steady->cycle;
      say("period        measured {}, predicted {}{}", time_text(s_.steady->period_ns), time_text(predicted),
          cycle == 1 ? "" : fmt::format(" (the rhythm repeats every {} iterations)", cycle));
    } else {
      say("period        second half {}, predicted {} (no rhythm repeats within this run)",
          time_text(s_.period_of_second_half()), time_text(predicted));
    }
  }

  void say_agent(int agent) {
    const agent_time t = account(p_, a_.guards, s_, agent);
    const auto share = [&](double ns) { return s_.end_ns > 0 ? std::round(100 * ns / s_.end_ns) : 0; };
    std::string line =
        fmt::format("`{}` works {} % of the time, waits {} %", p_.agents[agent], share(t.busy), share(t.held));
    if (t.worst_guard >= 0) line += ", most where " + guard_sentence(p_, a_.guards[std::size_t(t.worst_guard)]);
    say("{}", line);
  }

  const bounded_plan& p_;
  const analysis& a_;
  const simulation& s_;
};

}  // namespace

std::string simulation_text(const bounded_plan& p, const analysis& a, const simulation& s, bool assumed) {
  return report(p, a, s, assumed).text();
}

}  // namespace penstock::command
