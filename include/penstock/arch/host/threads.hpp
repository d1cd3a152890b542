// A host agent is one thread: its barriers have nobody to wait for.
#pragma once

#include <atomic>

namespace penstock::arch::host {

struct threads {
  static constexpr int warp_size = 1;
  static bool elected() { return true; }
  static void warp_barrier() {}
  template <int Id, int Count>
  static void barrier() {}
  template <int Id, int Count>
  static bool any(bool mine) { return mine; }
};

struct words {
  using word = std::atomic<long long>;
  static void init_word(word* w, long long value) { w->store(value, std::memory_order_relaxed); }
  // ordered by themselves: stand-alone fences would be invisible to race detectors
  static long long load(const word* w) { return w->load(std::memory_order_acquire); }
  static long long load_uniform(const word* w) { return load(w); }
  static void store(word* w, long long value) { w->store(value, std::memory_order_release); }
};

}  // namespace penstock::arch::host
