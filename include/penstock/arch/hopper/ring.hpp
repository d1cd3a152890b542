// The operations of a channel on sm_90 under one name.
#pragma once

#include <penstock/arch/cuda/checks.hpp>
#include <penstock/arch/cuda/plain_moves.hpp>
#include <penstock/arch/cuda/threads.hpp>
#include <penstock/arch/hopper/fetch.hpp>
#include <penstock/arch/hopper/order.hpp>
#include <penstock/arch/hopper/product_order.hpp>

namespace penstock::arch::hopper {

struct ring_ops : cuda::threads, cuda::words, cuda::votes, cuda::checks, cuda::plain_moves,
                  barriers, order, fetches, product_order {
  static constexpr bool has_engine = true;       // one lane starts a copy that nobody's instructions carry out
  static constexpr bool has_async_copies = true;  // cp.async
};

}  // namespace penstock::arch::hopper
