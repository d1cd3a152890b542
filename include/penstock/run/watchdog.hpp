// Waiting for a signal. A checked build (PENSTOCK_CHECKED) bounds every wait and says who waits for whom; others just
// wait.
#pragma once

#include <penstock/arch/checked.hpp>
#include <penstock/arch/inline.hpp>
#include <penstock/arch/native.hpp>
#include <penstock/run/bind.hpp>

namespace penstock::detail {

PENSTOCK_EXEC_CHECK_DISABLE
template <class P, int Stage, int On, class Ops>
PENSTOCK_HD PENSTOCK_INLINE void await(typename Ops::ring ring, unsigned slot, unsigned parity, long long instance) {
  if constexpr (checked_build) {
    const long long start = Ops::nanoseconds();
    while (!Ops::try_wait(ring, slot, parity, instance)) {
      if constexpr (requires { Ops::give_up_if_abandoned(ring); }) Ops::give_up_if_abandoned(ring);
      if (Ops::nanoseconds() - start > longest_wait) {
        const auto waiter = stage_at<P, Stage>::id;
        const auto on = stage_at<P, On>::id;
        Ops::stalled(waiter.chars, on.chars, instance, slot, parity);
      }
      Ops::between_polls();
    }
  } else {
    Ops::wait(ring, slot, parity, instance);
  }
}

}  // namespace penstock::detail
