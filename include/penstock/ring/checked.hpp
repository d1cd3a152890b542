// Checked builds (PENSTOCK_CHECKED): every wait of a channel is bounded, and a handle used twice or too late says so.
#pragma once

#include <penstock/arch/checked.hpp>
#include <penstock/arch/inline.hpp>
#include <penstock/plan/list.hpp>

namespace penstock::detail {

PENSTOCK_EXEC_CHECK_DISABLE
template <class Ops>
PENSTOCK_HD PENSTOCK_INLINE void await(typename Ops::ring barriers, unsigned slot, unsigned parity, const char* sentence,
                                       long long instance) {
  if constexpr (checked_build) {
    const long long start = Ops::nanoseconds();
    while (!Ops::try_wait(barriers, slot, parity)) {
      if (Ops::nanoseconds() - start > longest_wait) Ops::fail(sentence, slot, instance);
      Ops::between_polls();
    }
  } else {
    Ops::wait(barriers, slot, parity);
  }
}

}  // namespace penstock::detail
