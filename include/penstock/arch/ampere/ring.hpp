// The operations of a channel on sm_80 under one name.
#pragma once

#include <penstock/arch/ampere/barrier.hpp>
#include <penstock/arch/ampere/copy.hpp>
#include <penstock/arch/ampere/order.hpp>
#include <penstock/arch/cuda/checks.hpp>
#include <penstock/arch/cuda/plain_moves.hpp>
#include <penstock/arch/cuda/threads.hpp>

namespace penstock::arch::ampere {

struct ring_ops : cuda::threads, cuda::words, cuda::votes, cuda::checks, cuda::plain_moves, barriers, order {
  static constexpr bool has_engine = false;
  static constexpr bool has_async_copies = true;

  template <class Move>
  static __device__ __forceinline__ void async_in(void* to, const Move& source, int rank, int threads) {
    start_in_part(to, source, rank, threads);
  }
  static __device__ __forceinline__ void commit_products() {}  // mma.sync is done when it returns
  template <int Pending>
  static __device__ __forceinline__ void wait_products() {}
};

}  // namespace penstock::arch::ampere
