// The operations of a channel between host threads under one name. A group is one thread.
#pragma once

#include <penstock/arch/host/barrier.hpp>
#include <penstock/arch/host/checks.hpp>
#include <penstock/arch/host/copy.hpp>
#include <penstock/arch/host/order.hpp>
#include <penstock/arch/host/threads.hpp>

#include <new>

namespace penstock::arch::host {

struct ring_ops : threads, words, barriers, order, checks {
  static constexpr bool has_engine = false;
  static constexpr bool has_async_copies = false;

  static void init_word(word* w, long long value) { ::new (static_cast<void*>(w)) word(value); }
  static int rank() { return 0; }
  static int lane() { return 0; }
  static void block_barrier() {}
  static int warp_first(int value) { return value; }
  static bool warp_all(bool mine) { return mine; }

  template <class Move>
  static void plain_in(void* to, const Move& source, int rank, int threads) {
    copies::start_in(to, source, 0, 0u, rank, threads);
  }
  template <class Move>
  static void plain_out(const Move& target, const void* from, int rank, int threads) {
    copies::start_out(target, from, rank, threads);
  }
  static void commit_products() {}
  template <int Pending>
  static void wait_products() {}
};

}  // namespace penstock::arch::host
