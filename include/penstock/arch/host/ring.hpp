// The operations of a channel between host threads under one name. A group is one thread.
#pragma once

#include <penstock/arch/host/barrier.hpp>
#include <penstock/arch/host/copy.hpp>
#include <penstock/arch/host/order.hpp>
#include <penstock/arch/host/threads.hpp>

#include <chrono>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>

namespace penstock::arch::host {

struct ring_ops : threads, words, barriers, order {
  static constexpr bool has_engine = false;
  static constexpr bool has_async_copies = false;

  static void init_word(word* w, long long value) { ::new (static_cast<void*>(w)) word(value); }
  static int rank() { return 0; }
  static int lane() { return 0; }
  static void block_barrier() {}
  static bool warp_all(bool mine) { return mine; }

  static void between_polls() { std::this_thread::yield(); }
  static long long nanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  [[noreturn]] static void fail(const char* sentence, unsigned slot, long long instance) {
    throw std::logic_error("penstock: " + std::string(sentence) + " (slot " + std::to_string(slot) + ", instance " +
                           std::to_string(instance) + ")");
  }

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
