// Commit groups and fences on sm_90. PTX ISA, sections "cp.async.bulk" and "membar, fence".
#pragma once

namespace penstock::arch::hopper {

struct order {
  // Orders this thread's accesses to shared memory before later ones of the async proxy.
  static __device__ __forceinline__ void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
  static __device__ __forceinline__ void commit_bulk() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
  template <int Pending>
  static __device__ __forceinline__ void wait_reads() {
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
  }
  template <int Pending>
  static __device__ __forceinline__ void wait_writes() {
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
  }
  static __device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
  template <int Pending>
  static __device__ __forceinline__ void wait_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
  }
};

}  // namespace penstock::arch::hopper
