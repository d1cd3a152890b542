// The version of these headers, for the preprocessor and as constants.
#pragma once

#if __cplusplus < 202002L
#error "penstock needs C++20: compile with -std=c++20 or later"
#endif

#define PENSTOCK_VERSION_MAJOR 0
#define PENSTOCK_VERSION_MINOR 1
#define PENSTOCK_VERSION_PATCH 0

// Ordered as the versions are, for #if PENSTOCK_VERSION >= 100.
#define PENSTOCK_VERSION (PENSTOCK_VERSION_MAJOR * 10000 + PENSTOCK_VERSION_MINOR * 100 + PENSTOCK_VERSION_PATCH)

namespace penstock {

inline constexpr int version_major = PENSTOCK_VERSION_MAJOR;
inline constexpr int version_minor = PENSTOCK_VERSION_MINOR;
inline constexpr int version_patch = PENSTOCK_VERSION_PATCH;
inline constexpr int version = PENSTOCK_VERSION;

}  // namespace penstock
