// Checked builds: -DPENSTOCK_CHECKED, in every translation unit or in none.
#pragma once

#include <penstock/arch/inline.hpp>
#include <penstock/plan/list.hpp>

namespace penstock::detail {

#if defined(PENSTOCK_CHECKED)
inline constexpr bool checked_build = true;
#else
inline constexpr bool checked_build = false;
#endif
inline constexpr long long longest_wait = 5'000'000'000;  // nanoseconds, after which a wait of a checked build gives up

// `holds` is what the caller of a channel, or the function of a stage, must see to.
PENSTOCK_EXEC_CHECK_DISABLE
template <class Ops>
PENSTOCK_HD PENSTOCK_INLINE void require(bool holds, const char* sentence, unsigned slot, long long instance) {
  if constexpr (checked_build) {
    if (!holds) Ops::fail(sentence, slot, instance);
  }
}

}  // namespace penstock::detail
