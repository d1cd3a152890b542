// The two barriers of a ring's slots on sm_80: mbarriers. PTX ISA, section "mbarrier".
#pragma once

#include <cstdint>

namespace penstock::arch::ampere {

struct barriers {
  // The shared-memory address of the barrier of slot 0.
  using ring = std::uint32_t;
  static constexpr int bytes_each = 8;

  static __device__ __forceinline__ ring ring_at(void* storage, int index) {
    return static_cast<ring>(__cvta_generic_to_shared(storage)) + static_cast<ring>(index) * 8u;
  }
  static __device__ __forceinline__ void init(ring r, unsigned slot, int arrivals) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(r + slot * 8u), "r"(arrivals) : "memory");
  }
  static __device__ __forceinline__ std::uint32_t barrier_of(ring r, unsigned slot) { return r + slot * 8u; }
  static __device__ __forceinline__ void publish_init() {}  // the block barrier that follows is enough
  static __device__ __forceinline__ void invalidate(ring r, unsigned slot) {
    asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(r + slot * 8u) : "memory");
  }
  static __device__ __forceinline__ void arrive(ring r, unsigned slot) {
    asm volatile("{\n\t.reg .b64 state;\n\tmbarrier.arrive.shared.b64 state, [%0];\n\t}" ::"r"(r + slot * 8u)
                 : "memory");
  }
  static __device__ __forceinline__ void expect(ring, unsigned, unsigned) {}  // no engine counts bytes
  // One more arrival is due, and comes when the cp.async copies that this thread has started are done.
  static __device__ __forceinline__ void arrive_when_copied(ring r, unsigned slot) {
    asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(r + slot * 8u) : "memory");
  }
  static __device__ __forceinline__ bool try_wait(ring r, unsigned slot, unsigned parity) {
    unsigned done;
    asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\tselp.b32 %0, 1, 0, p;\n\t}"
                 : "=r"(done) : "r"(r + slot * 8u), "r"(parity) : "memory");
    return done != 0;
  }
  static __device__ __forceinline__ void wait(ring r, unsigned slot, unsigned parity) {
    while (!try_wait(r, slot, parity)) {}
  }
};

}  // namespace penstock::arch::ampere
