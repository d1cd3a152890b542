// The two barriers of a ring's slots on sm_90: mbarriers, with the bytes of bulk copies. PTX ISA, section "mbarrier".
#pragma once

#include <penstock/arch/hopper/signal.hpp>

namespace penstock::arch::hopper {

struct barriers : signals {
  static __device__ __forceinline__ std::uint32_t barrier_of(ring r, unsigned slot) { return r + slot * 8u; }
  // Bytes still to come in the phase at hand, which an arrival not yet made keeps open.
  static __device__ __forceinline__ void expect(ring r, unsigned slot, unsigned bytes) {
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(r + slot * 8u), "r"(bytes) : "memory");
  }
  // One more arrival is due, and comes when the cp.async copies that this thread has started are done.
  static __device__ __forceinline__ void arrive_when_copied(ring r, unsigned slot) {
    asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(r + slot * 8u) : "memory");
  }
  static __device__ __forceinline__ void wait(ring r, unsigned slot, unsigned parity) {
    while (!try_wait(r, slot, parity)) {}
  }
};

}  // namespace penstock::arch::hopper
