#include "lowering_table.hpp"

#include "input_error.hpp"

#include <penstock/plan/slots.hpp>

#include <fmt/format.h>

namespace penstock::command {
namespace {

using small_plan = plan<most_lowered_stages, most_lowered_buffers>;

small_plan narrow(const bounded_plan& p, std::string_view source) {
  const auto at_most = [&](int most, std::string_view what, int count, std::string_view place) {
    if (count > most)
      throw input_error(source, place, fmt::format("--lower takes at most {} {}, not {}", most, what, count));
  };
  at_most(most_lowered_stages, "stages", p.stages.size(), "/stages");
  at_most(most_lowered_buffers, "buffers", p.buffers.size(), "/buffers");
  small_plan out;
  for (const buffer_info& b : p.buffers) {
    at_most(most_lowered_depth, "slots a buffer", b.depth, fmt::format("/buffers/{}/depth", out.buffers.size()));
    out.buffers.add(b);
  }
  for (std::string_view a : p.agents) out.agents.add(a);
  for (const auto& s : p.stages) {
    stage_info<most_lowered_buffers> stage;
    stage.name = s.name;
    stage.mode = s.mode;
    stage.agent = s.agent;
    stage.skew = s.skew;
    stage.order = s.order;
    for (const read_access& r : s.reads) stage.reads.add(r);
    for (int w : s.writes) stage.writes.add(w);
    out.stages.add(stage);
  }
  at_most(most_lowered_hazards, "hazards", count_candidates(out), "/stages");
  // what a schedule may leave open, a copy must say: run<P> refuses it with the same words
  detail::problem_list<1> found;
  detail::check_slots(out, slot_limits{.single = true}, found);
  for (const problem& unmovable : found)
    throw input_error(source, "/stages", fmt::format("--lower: {}", unmovable.message.view()));
  return out;
}

template <class Mapping>
std::unique_ptr<lowering_table> make_table(const small_plan& p, std::string_view source, backend target) {
  if (find_deadlock(map_plan<Mapping>(p, target)).found())
    throw input_error(
        source, "/buffers",
        fmt::format("deadlocks as {} maps the stages to agents; --lower needs deeper buffers", backend_name(target)));
  return std::make_unique<lowering_table>(lower<most_lowered_hazards, most_lowered_steps, Mapping>(p, target));
}

}  // namespace

std::unique_ptr<lowering_table> lower_plan(const bounded_plan& p, std::string_view source, backend target,
                                           bool uniform_mapping) {
  const small_plan small = narrow(p, source);
  return uniform_mapping ? make_table<uniform<>>(small, source, target)
                         : make_table<specialised<>>(small, source, target);
}

}  // namespace penstock::command
