// Checked builds: -DPENSTOCK_CHECKED, in every translation unit or in none.
#pragma once

namespace penstock::detail {

#if defined(PENSTOCK_CHECKED)
inline constexpr bool checked_build = true;
#else
inline constexpr bool checked_build = false;
#endif
inline constexpr long long longest_wait = 5'000'000'000;  // nanoseconds, after which a wait of a checked build gives up

}  // namespace penstock::detail
