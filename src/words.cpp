#include "words.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace penstock::command {
namespace {

const char* reason(const bounded_plan& p, const guard& g) {
  if (g.kind == hazard::raw) return "";
  bool reuses_slot = false;
  detail::for_each_obligation(p,
                              [&](const obligation& o) { reuses_slot = reuses_slot || (o.wait == g && o.reuse > 0); });
  if (reuses_slot) return ": slot reuse";
  return g.kind == hazard::waw ? ": the later write stays" : ": read before it is overwritten";
}

}  // namespace

std::string counted(long long n, const char* noun) { return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s"); }

std::string which_iteration(int distance) {
  if (distance == 0) return "of the same iteration";
  return fmt::format("{} {}", counted(std::abs(distance), "iteration"), distance > 0 ? "back" : "ahead");
}

std::string guard_sentence(const bounded_plan& p, const guard& g) {
  return fmt::format("`{}` waits for `{}` {} ({} on `{}`{})", p.stages[g.waiter].name, p.stages[g.on].name,
                     which_iteration(g.distance), detail::hazard_name(g.kind), p.buffers[g.buffer].name, reason(p, g));
}

std::string edge_text(const bounded_plan& p, const cycle_edge& e) {
  const std::string_view to = p.stages[e.to].name;
  if (e.guarded)
    return fmt::format("`{}` ({} on `{}`, {})", to, detail::hazard_name(e.wait.kind), p.buffers[e.wait.buffer].name,
                       e.distance);
  return fmt::format("`{}` (program order, {})", to, e.distance);
}

std::string time_text(double ns) {
  const char* unit = "ns";
  for (const char* next : {"us", "ms", "s"}) {
    if (std::abs(ns) < 1e4) break;
    ns /= 1e3;
    unit = next;
  }
  return fmt::format("{:.5g} {}", ns, unit);
}

std::string quoted_names(const bounded_plan& p, const std::vector<int>& stages) {
  std::string out;
  for (std::size_t i = 0; i < stages.size(); ++i)
    out += fmt::format("{}`{}`", i == 0 ? "" : i + 1 == stages.size() ? " and " : ", ", p.stages[stages[i]].name);
  return out;
}

}  // namespace penstock::command
