// The operations of a channel before sm_80 under one name.
#pragma once

#include <penstock/arch/cuda/checks.hpp>
#include <penstock/arch/cuda/plain_moves.hpp>
#include <penstock/arch/cuda/threads.hpp>
#include <penstock/arch/portable/barrier.hpp>
#include <penstock/arch/portable/order.hpp>

namespace penstock::arch::portable {

struct ring_ops : cuda::threads, cuda::words, cuda::votes, cuda::checks, cuda::plain_moves, barriers, order {
  static constexpr bool has_engine = false;
  static constexpr bool has_async_copies = false;

  static __device__ __forceinline__ void commit_products() {}  // mma.sync is done when it returns
  template <int Pending>
  static __device__ __forceinline__ void wait_products() {}
};

}  // namespace penstock::arch::portable
