// Commit groups on sm_80. PTX ISA, section "cp.async". There is no async proxy to fence, and no bulk copy to wait for.
#pragma once

#include <penstock/arch/portable/order.hpp>

namespace penstock::arch::ampere {

struct order : portable::order {
  static __device__ __forceinline__ void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
  template <int Pending>
  static __device__ __forceinline__ void wait_copies() {
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
  }
};

}  // namespace penstock::arch::ampere
