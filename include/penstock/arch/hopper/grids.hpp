// Grids that follow each other in a stream on sm_90: the next one may start early where its launch allows that. PTX ISA,
// section "griddepcontrol".
#pragma once

namespace penstock::arch::hopper {

struct grids {
  // Until the grid before this one has ended and its writes can be seen.
  static __device__ __forceinline__ void wait_for_previous() { asm volatile("griddepcontrol.wait;" ::: "memory"); }
  static __device__ __forceinline__ void let_next_start() { asm volatile("griddepcontrol.launch_dependents;" ::: "memory"); }
};

}  // namespace penstock::arch::hopper
