// The two barriers of a ring's slots before sm_80: a word that counts a phase's arrivals down and then counts phases, as
// an mbarrier does. Waiting warps poll it, which independent thread scheduling (sm_70) allows. PTX ISA, section "atom".
#pragma once

#include <cstdint>

namespace penstock::arch::portable {

struct barriers {
  // The shared-memory address of the barrier of slot 0.
  using ring = std::uint32_t;
  static constexpr int bytes_each = 8;

  static __device__ __forceinline__ ring ring_at(void* storage, int index) {
    return static_cast<ring>(__cvta_generic_to_shared(storage)) + static_cast<ring>(index) * 8u;
  }
  // Phases above bit 24, arrivals of a phase above bit 12, arrivals that the phase at hand lacks below.
  static __device__ __forceinline__ void init(ring r, unsigned slot, int arrivals) {
    const unsigned count = static_cast<unsigned>(arrivals);
    asm volatile("st.relaxed.cta.shared.b32 [%0], %1;" ::"r"(r + slot * 8u), "r"(count << 12 | count) : "memory");
  }
  static __device__ __forceinline__ std::uint32_t barrier_of(ring r, unsigned slot) { return r + slot * 8u; }
  static __device__ __forceinline__ void publish_init() {}  // the block barrier that follows is enough
  static __device__ __forceinline__ void invalidate(ring, unsigned) {}
  static __device__ __forceinline__ void arrive(ring r, unsigned slot) {
    const unsigned before = add(r + slot * 8u, 0xffffffffu);
    // nobody arrives for the next phase before this one is seen to end, so two steps are as good as one
    if ((before & 0xfffu) == 1u) add(r + slot * 8u, (1u << 24) + (before >> 12 & 0xfffu));
  }
  static __device__ __forceinline__ void expect(ring, unsigned, unsigned) {}  // no engine counts bytes
  static __device__ __forceinline__ void arrive_when_copied(ring, unsigned) {}  // copies are done when they return
  static __device__ __forceinline__ bool try_wait(ring r, unsigned slot, unsigned parity) {
    unsigned state;
    asm volatile("ld.acquire.cta.shared.b32 %0, [%1];" : "=r"(state) : "r"(r + slot * 8u) : "memory");
    return (state >> 24 & 1u) != parity;
  }
  static __device__ __forceinline__ void wait(ring r, unsigned slot, unsigned parity) {
    while (!try_wait(r, slot, parity)) {}
  }

 private:
  static __device__ __forceinline__ unsigned add(std::uint32_t address, unsigned value) {
    unsigned before;
    asm volatile("atom.acq_rel.cta.shared.add.u32 %0, [%1], %2;" : "=r"(before) : "r"(address), "r"(value) : "memory");
    return before;
  }
};

}  // namespace penstock::arch::portable
