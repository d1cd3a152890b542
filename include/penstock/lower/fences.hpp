// Which bodies need the fence between threads' accesses to shared memory and those of the bulk engine.
#pragma once

#include <penstock/lower/rings.hpp>

namespace penstock::detail {

// Each thread fences what it has itself read or written: PTX does not say that the fence of another thread, one that
// has only learned of those accesses, covers them. One fence may serve several bodies of an agent, if it comes after
// them and is over, for all threads, when the engine may touch the slot.
template <int S, int B, int G, int Steps>
constexpr bool fenced_later(const lowering<S, B, G, Steps>& l, const distances<S>& d, const barrier_plan<S>& barriers,
                            const bool (&fenced)[S], const guard& need) {
  const auto& stages = l.mapped.stages;
  const auto& waiter = stages[need.waiter];
  for (int g = 0; g < stages.size(); ++g) {
    if (g == need.on || !fenced[g] || program_distance(l.mapped, need.on, g) > 0 ||
        !pair_implied(d, true, g, need.waiter, need.distance))
      continue;
    if (waiter.agent != stages[g].agent || warp_meets(l, g, need.waiter)) return true;
    const hand_over h{place_of(l.mapped, g), place_of(l.mapped, need.waiter),
                      waiter.skew - stages[g].skew + need.distance};
    for (int k = 0; k < S; ++k) if (barriers.at[k] && h.crosses(k)) return true;
  }
  return false;
}

// Does the bulk engine of some stage touch what this body read or wrote, with no later fence of its threads between?
template <int S, int B, int G, int Steps>
constexpr bool needs_proxy_fence(const lowering<S, B, G, Steps>& l, const barrier_plan<S>& barriers, int body) {
  bool touched[S]{}, fenced[S]{};
  const auto for_each_need = [&](auto&& f) {
    for_each_obligation(l.mapped, [&](const obligation& o) {
      if (o.wait.buffer != verdict_buffer && l.engines[o.wait.on] == engine_kind::body &&
          l.mapped.stages[o.wait.on].agent == l.mapped.stages[body].agent && is_bulk(l.engines[o.wait.waiter]))
        f(o.wait);
    });
  };
  for_each_need([&](const guard& need) { touched[need.on] = fenced[need.on] = true; });
  const distances<S> d = distances_of(l);
  for (int b = 0; b <= body; ++b) {
    if (!touched[b]) continue;
    fenced[b] = false;
    for_each_need([&](const guard& need) {  // also of those before it, which may count on this one
      if (!fenced[b] && !fenced[need.on] && need.on <= b && !fenced_later(l, d, barriers, fenced, need))
        fenced[b] = true;
    });
  }
  return fenced[body];
}

}  // namespace penstock::detail

namespace penstock {

// Do all threads fence before the first run, and where they drain? What they have done with the block's memory, in
// another pipeline perhaps, would else not be ordered before the next copies of the engine.
template <class Lowering>
PENSTOCK_HD constexpr bool fences_between_uses(const Lowering& l) {
  for (int s = 0; s < l.mapped.stages.count; ++s) if (is_bulk(l.engines[s])) return true;
  return false;
}

}  // namespace penstock
