// The lowering table of a pipeline type, computed once per mapping, backend and set of stopping stages.
#pragma once

#include <penstock/lower/lower.hpp>
#include <penstock/plan/declare.hpp>
#include <penstock/run/layout.hpp>

namespace penstock {

namespace detail {

template <class Plan>
constexpr Plan with_stops(Plan p, unsigned long long stops) {
  for (int s = 0; s < p.stages.size(); ++s) {
    p.stages[s].stops = p.stages[s].stops || (stops >> s & 1u) != 0;
    p.stages[s].prefetches = copies_in(p.stages[s]) || p.stages[s].source;
  }
  return p;
}

template <class Plan>
constexpr bool any_stops(const Plan& p) {
  for (const auto& s : p.stages) if (s.stops) return true;
  return false;
}
template <class Plan>
constexpr int item_buffer_of(const Plan& p) {
  for (const auto& s : p.stages) if (s.source) return s.writes[0];
  return -1;
}

}  // namespace detail

template <class P, class Mapping, backend Backend, unsigned long long Stops = 0>
struct lowered {
  using pipeline = P;
  static constexpr backend target = Backend;
  static constexpr auto plan = detail::with_stops(P::plan, Stops);
  static constexpr bool stops = detail::any_stops(plan);
  static constexpr int item_buffer = detail::item_buffer_of(plan);
  static constexpr bool sourced = item_buffer >= 0;  // how many iterations there are is found out on the way
#if defined(PENSTOCK_MUTATION)  // tests break the table here, and must see it break
  static constexpr auto table =
      PENSTOCK_MUTATION<Mapping>(lower<room_for_guards(plan), most_steps(plan), Mapping>(plan, Backend));
#else
  static constexpr auto table = lower<room_for_guards(plan), most_steps(plan), Mapping>(plan, Backend);
#endif
  static constexpr auto layout = lay_out(table);
  static constexpr auto sizes = sizes_of(table);
  static constexpr int threads = table.warps * 32;
  static constexpr int agents = table.agents.size();
};

namespace detail {

// What the loops ask of one stage, as class members: device code may use constants but not call host functions.
template <class L, int Stage>
struct stage_facts {
  static constexpr engine_kind engine = L::table.engines[Stage];
  static constexpr int skew = L::table.mapped.stages[Stage].skew;
  static constexpr int signal_slots = L::table.rings[Stage].slots;
  static constexpr int first_signal = L::table.rings[Stage].first;
  static constexpr bool stops = L::table.mapped.stages[Stage].stops;
  static constexpr bool copies_in = detail::copies_in(L::plan.stages[Stage]);
  // the buffer a copy moves, and which iteration of it
  static constexpr bool fills = copies_in || L::plan.stages[Stage].source;
  static constexpr int buffer = fills ? L::plan.stages[Stage].writes[0] : L::plan.stages[Stage].reads[0].buffer;
  static constexpr int offset = fills ? 0 : L::plan.stages[Stage].reads[0].window.first;
  static constexpr int item_reach = [] {
    for (const read_access& r : L::plan.stages[Stage].reads) if (r.item) return r.window.last;
    return -1;
  }();
  static constexpr bool one_warp = runs_in_one_warp(engine);
};

template <class L, class Clause>
struct buffer_of {
  static constexpr int index = L::plan.buffer_index(Clause::id.view());
  static constexpr int depth = L::layout.buffers[index].depth;
  static constexpr int offset = L::layout.buffers[index].offset;
  static constexpr int stride = L::layout.buffers[index].stride;
  using type = slot_type<typename L::pipeline, index>;
};

template <class Clause>
inline constexpr bool is_access = Clause::clause == clause::read || Clause::clause == clause::write ||
                                  Clause::clause == clause::update;

}  // namespace detail

}  // namespace penstock
