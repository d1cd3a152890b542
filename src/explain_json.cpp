#include "explain.hpp"

#include <nlohmann/json.hpp>

namespace penstock::command {
namespace {

using nlohmann::ordered_json;

ordered_json guard_list(const bounded_plan& p, const std::vector<guard>& guards) {
  ordered_json out = ordered_json::array();
  for (const guard& g : guards)
    out.push_back({{"kind", hazard_key(g.kind)},
                   {"waiter", p.stages[g.waiter].name},
                   {"on", p.stages[g.on].name},
                   {"buffer", p.buffers[g.buffer].name},
                   {"distance", g.distance}});
  return out;
}

}  // namespace

std::string explain_json(const parsed_plan& parsed, const analysis& a) {
  const bounded_plan& p = parsed.value;
  ordered_json out;
  out["ok"] = a.ok();
  out["guards"] = guard_list(p, a.guards);
  out["implied"] = guard_list(p, a.implied);
  out["min_depth"] = ordered_json::object();
  for (int b = 0; b < a.smallest_depths.size(); ++b)
    if (const int depth = a.smallest_depths[b]; depth > 0) out["min_depth"][std::string(p.buffers[b].name)] = depth;
  out["drain"] = ordered_json::array();
  for (int s : a.drain) out["drain"].push_back(p.stages[s].name);
  out["problems"] = ordered_json::array();
  for (const refusal& r : a.problems) out["problems"].push_back({{"rule", r.rule}, {"message", r.message}});
  out["period_ns"] = nullptr;
  if (a.bound) out["period_ns"] = a.bound->period_ns();
  return out.dump(2) + "\n";
}

}  // namespace penstock::command
