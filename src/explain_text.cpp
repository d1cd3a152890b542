#include "explain.hpp"

#include "reasons.hpp"
#include "stage_drawing.hpp"
#include "text_lines.hpp"
#include "words.hpp"

#include <fmt/format.h>

namespace penstock::command {
namespace {

constexpr std::size_t most_implied = 32;  // a large plan has thousands, which nobody reads

class report : public text_lines {
 public:
  report(const parsed_plan& parsed, const analysis& a) : p_(parsed.value), a_(a) {
    say_verdict();
    append("\n" + draw_stages(p_));
    if (a.ok()) say_guards();
    say_depths();
    if (a.ok()) say_advice();
    if (a.bound) say_period();
  }

 private:
  void say_verdict() {
    const std::string size = fmt::format("{}, {}, {}", counted(p_.stages.size(), "stage"),
                                         counted(p_.buffers.size(), "buffer"), counted(p_.agents.size(), "agent"));
    if (a_.ok()) {
      say("sound: {}; {} needed, {} implied", size, counted(static_cast<long long>(a_.guards.size()), "guard"),
          a_.implied.size());
      return;
    }
    say("rejected: {}", size);
    for (const refusal& r : a_.problems) say("  {}: {}", r.rule, r.message);
  }

  void say_guards() {
    say("\nguards");
    if (a_.guards.empty()) say("  none: program order is enough");
    for (const guard& g : a_.guards) say("  {}", guard_sentence(p_, g));
    if (!a_.implied.empty()) say("\nleft out, because the guards above and program order imply them");
    for (std::size_t i = 0; i < a_.implied.size(); ++i) {
      if (i == most_implied) {
        say("  … and {} more; --json lists them all", a_.implied.size() - i);
        break;
      }
      say("  {}{}", guard_sentence(p_, a_.implied[i]), because(a_.implied[i]));
    }
    if (a_.drain.empty()) say("\ndrain: nothing is in flight when the last iteration ends");
    else say("\ndrain: wait for {} before the storage is reused or the kernel returns", quoted_names(p_, a_.drain));
  }

  std::string because(const guard& g) const {
    const std::vector<cycle_edge> chain = why_implied(p_, a_.guards, g);
    if (chain.empty()) return "\n    every access it would order is ordered by others";
    std::string out = fmt::format("\n    by `{}`", p_.stages[g.on].name);
    for (const cycle_edge& e : chain) out += " → " + edge_text(p_, e);
    return out;
  }

  void say_depths() {
    bool titled = false;
    for (int b = 0; b < a_.smallest_depths.size(); ++b) {
      const int least = a_.smallest_depths[b];
      if (least == 0) continue;
      if (!titled) say("\ndepths");
      titled = true;
      say("  `{}` has {}, the smallest that works is {}", p_.buffers[b].name, p_.buffers[b].depth, least);
    }
  }

  void say_advice() {
    const std::vector<std::string> sentences = advice(p_, a_.guards);
    if (!sentences.empty()) say("\nadvice");
    for (const std::string& s : sentences) say("  {}", s);
  }

  void say_period() {
    const auto& bound = *a_.bound;
    if (!bound.found()) {
      say("\nperiod: 0 ns; give stages \"issue\" and \"latency\" in nanoseconds to learn what bounds them");
      return;
    }
    say("\nperiod: {} an iteration", time_text(bound.period_ns()));
    std::string cycle = fmt::format("`{}`", p_.stages[bound.edges[0].from].name);
    for (const cycle_edge& e : bound.edges) cycle += " → " + edge_text(p_, in_force(e));
    say("  set by {}", cycle);
    say("  which takes {} and advances {}", time_text(bound.time_ns), counted(bound.distance, "iteration"));
    const std::vector<std::string> lifts = ways_to_lift(p_, bound);
    if (lifts.empty()) say("  no deeper ring of one buffer would lower it");
    for (const std::string& s : lifts) say("  {}", s);
  }

  // Of several hazards that ask for the same wait, the one whose guard is listed.
  cycle_edge in_force(cycle_edge e) const {
    for (const guard& g : a_.guards)
      if (e.guarded && g.on == e.from && g.waiter == e.to && g.distance == e.distance) e.wait = g;
    return e;
  }

  const bounded_plan& p_;
  const analysis& a_;
};

}  // namespace

std::string explain_text(const parsed_plan& p, const analysis& a) { return report(p, a).text(); }

}  // namespace penstock::command
