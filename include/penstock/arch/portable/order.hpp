// Before sm_80 every copy is complete when its instructions are: nothing to commit, nothing to wait for.
#pragma once

namespace penstock::arch::portable {

struct order {
  static __device__ __forceinline__ void fence_async() {}
  static __device__ __forceinline__ void commit_bulk() {}
  template <int Pending>
  static __device__ __forceinline__ void wait_reads() {}
  template <int Pending>
  static __device__ __forceinline__ void wait_writes() {}
  static __device__ __forceinline__ void commit_copies() {}
  template <int Pending>
  static __device__ __forceinline__ void wait_copies() {}
};

}  // namespace penstock::arch::portable
