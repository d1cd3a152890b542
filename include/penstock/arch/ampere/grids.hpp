// Grids that follow each other in a stream: before sm_90 the next one starts when this one has ended.
#pragma once

namespace penstock::arch::ampere {

struct grids {
  static __device__ __forceinline__ void wait_for_previous() {}
  static __device__ __forceinline__ void let_next_start() {}
};

}  // namespace penstock::arch::ampere
