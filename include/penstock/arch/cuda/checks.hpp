// What checked builds do when a program breaks a rule: one sentence, then the kernel ends.
#pragma once

#include <cstdio>

namespace penstock::arch::cuda {

struct checks {
  static __device__ __forceinline__ long long nanoseconds() {
    long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
    return now;
  }
  static __device__ __forceinline__ void between_polls() {}
  static __device__ __noinline__ void fail(const char* sentence, unsigned slot, long long instance) {
    std::printf("penstock: %s (slot %u, instance %lld; block %u, thread %u)\n", sentence, slot, instance, blockIdx.x,
                threadIdx.x);
    __trap();
  }
  static __device__ __noinline__ void stalled(const char* waiter, const char* on, long long instance, unsigned slot,
                                              unsigned parity) {
    std::printf("penstock: stage '%s' waits for instance %lld of stage '%s' (slot %u, parity %u; block %u, thread %u), "
                "and nobody signals it\n",
                waiter, instance, on, slot, parity, blockIdx.x, threadIdx.x);
    __trap();
  }
};

}  // namespace penstock::arch::cuda
