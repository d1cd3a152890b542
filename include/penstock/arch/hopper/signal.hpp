// Completion signals on sm_90: mbarriers. PTX ISA, section "mbarrier".
#pragma once

#include <cstdint>

namespace penstock::arch::hopper {

struct signals {
  // A ring of signals: the shared-memory address of its slot 0.
  using ring = std::uint32_t;
  static constexpr int bytes_each = 8;

  static __device__ __forceinline__ ring ring_at(void* storage, int index) {
    return static_cast<ring>(__cvta_generic_to_shared(storage)) + static_cast<ring>(index) * 8u;
  }
  static __device__ __forceinline__ void init(ring r, unsigned slot, int arrivals) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(r + slot * 8u), "r"(arrivals) : "memory");
  }
  // By the thread that initialised, before the block barrier that publishes the signals.
  static __device__ __forceinline__ void publish_init() {
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  static __device__ __forceinline__ void invalidate(ring r, unsigned slot) {
    asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(r + slot * 8u) : "memory");
  }
  static __device__ __forceinline__ void arrive(ring r, unsigned slot) {
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(r + slot * 8u) : "memory");
  }
  // One arrival and the bytes still to come, in one operation: apart, the phase could complete between them.
  static __device__ __forceinline__ void arrive_expecting(ring r, unsigned slot, unsigned bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(r + slot * 8u), "r"(bytes) : "memory");
  }
  static __device__ __forceinline__ bool try_wait(ring r, unsigned slot, unsigned parity, long long = 0) {
    unsigned done;
    asm volatile(
        "{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\tselp.b32 %0, 1, 0, p;\n\t}"
        : "=r"(done) : "r"(r + slot * 8u), "r"(parity) : "memory");
    return done != 0;
  }
  static __device__ __forceinline__ void wait(ring r, unsigned slot, unsigned parity, long long) {
    while (!try_wait(r, slot, parity)) {}
  }
};

}  // namespace penstock::arch::hopper
