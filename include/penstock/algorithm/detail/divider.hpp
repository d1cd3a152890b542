// Division by a number known at launch, as a multiplication. Granlund, Montgomery: "Division by Invariant Integers
// using Multiplication", PLDI 1994.
#pragma once

#include <penstock/plan/list.hpp>

#include <cstdint>

namespace penstock::detail {

// Exact for dividends below 2^31 and divisors from 1 to 2^31.
struct divider {
  unsigned divisor = 1, multiplier = 1, shift = 0;

  divider() = default;
  explicit constexpr divider(long long d) : divisor(static_cast<unsigned>(d)) {
    while ((1ull << shift) < static_cast<std::uint64_t>(d)) ++shift;
    multiplier = static_cast<unsigned>(((1ull << 32) * ((1ull << shift) - static_cast<std::uint64_t>(d))) /
                                       static_cast<std::uint64_t>(d) + 1);
  }
  PENSTOCK_HD unsigned quotient(unsigned n) const {
    const unsigned high = static_cast<unsigned>((static_cast<std::uint64_t>(n) * multiplier) >> 32);
    return (high + n) >> shift;
  }
  // n becomes the quotient; returns the remainder.
  PENSTOCK_HD unsigned take(unsigned& n) const {
    const unsigned q = quotient(n), r = n - q * divisor;
    n = q;
    return r;
  }
};

}  // namespace penstock::detail
