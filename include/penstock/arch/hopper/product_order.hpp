// When matrix products of a warpgroup are done. PTX ISA, section "wgmma.commit_group" and "wgmma.wait_group".
#pragma once

namespace penstock::arch::hopper {

struct product_order {
  static __device__ __forceinline__ void commit_products() {
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  }
  template <int Pending>
  static __device__ __forceinline__ void wait_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
  }
};

}  // namespace penstock::arch::hopper
