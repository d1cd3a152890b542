// Which bodies need the fence between threads' accesses to shared memory and those of the bulk engine.
#pragma once

#include <penstock/lower/rings.hpp>

namespace penstock::detail {

// A fence anywhere on the way from a body to the engine covers it: also one that a later body issues, having learned of
// this one, before the engine may touch the slot.
template <int S, int B, int G, int Steps>
constexpr bool fenced_on_the_way(const lowering<S, B, G, Steps>& l, const distances<S>& d, const bool (&fenced)[S],
                                 const guard& need) {
  const auto is_sync = [&](int s) { return l.mapped.stages[s].mode == mode::sync; };
  for (int g = 0; g < l.mapped.stages.size(); ++g)
    if (g != need.on && fenced[g] && pair_implied(d, is_sync(need.on), need.on, g, 0) &&
        pair_implied(d, is_sync(g), g, need.waiter, need.distance))
      return true;
  return false;
}

// Does the bulk engine of some stage touch what this body read or wrote, with no other fence between them?
template <int S, int B, int G, int Steps>
constexpr bool needs_proxy_fence(const lowering<S, B, G, Steps>& l, int body) {
  bool touched[S]{}, fenced[S]{};
  const auto for_each_need = [&](auto&& f) {
    for_each_obligation(l.mapped, [&](const obligation& o) {
      if (o.wait.buffer != verdict_buffer && l.engines[o.wait.on] == engine_kind::body &&
          is_bulk(l.engines[o.wait.waiter]))
        f(o.wait);
    });
  };
  for_each_need([&](const guard& need) { touched[need.on] = fenced[need.on] = true; });
  const distances<S> d = distances_of(l);
  for (int b = 0; b <= body; ++b) {
    if (!touched[b]) continue;
    fenced[b] = false;
    for_each_need([&](const guard& need) {  // also of those before it, which may count on this one
      if (!fenced[b] && !fenced[need.on] && need.on <= b && !fenced_on_the_way(l, d, fenced, need)) fenced[b] = true;
    });
  }
  return fenced[body];
}

}  // namespace penstock::detail
