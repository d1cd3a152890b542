// Checked builds (PENSTOCK_CHECKED): every wait of a channel is bounded, and a handle used twice or too late says so, as
// does a copy that does not fit.
#pragma once

#include <penstock/arch/checked.hpp>
#include <penstock/arch/inline.hpp>
#include <penstock/arch/moves.hpp>
#include <penstock/plan/list.hpp>

#include <cstdint>
#include <type_traits>

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

// A copy between memory and a part of a slot. One that promises to be aligned and is not would fault in the copy engine,
// or never complete.
PENSTOCK_EXEC_CHECK_DISABLE
template <class Ops, class Move, class Part>
PENSTOCK_HD PENSTOCK_INLINE void require_fit(const Move& m, const Part& part, unsigned slot, long long instance) {
  constexpr long long bytes = sizeof(Part);
  const auto at = reinterpret_cast<std::uintptr_t>(&part);
  if constexpr (std::is_same_v<Move, aligned_range>) {
    static_assert(bytes % 16 == 0,
                  "from_aligned and to_aligned move parts of a multiple of 16 bytes; from and to move any");
    require<Ops>((reinterpret_cast<std::uintptr_t>(m.address) | static_cast<std::uintptr_t>(m.bytes) | at) % 16 == 0,
                 "an aligned copy has an address, a size or a part of the slot that is no multiple of 16", slot,
                 instance);
  }
  if constexpr (requires { m.bytes; })
    require<Ops>(m.bytes >= 0 && m.bytes <= bytes, "a copy is longer than its part of the slot", slot, instance);
  else
    require<Ops>(at % Move::alignment == 0, "a box has a part of the slot that is not aligned for it", slot, instance);
}

}  // namespace penstock::detail
