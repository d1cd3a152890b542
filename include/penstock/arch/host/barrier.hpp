// The two barriers of a ring's slots between host threads: a word that counts a phase's arrivals down and then counts
// phases, as an mbarrier does.
#pragma once

#include <atomic>
#include <cstdint>
#include <new>
#include <thread>

namespace penstock::arch::host {

struct barriers {
  using state = std::atomic<std::uint64_t>;
  using ring = state*;
  static constexpr int bytes_each = 8;
  static_assert(sizeof(state) == bytes_each);

  static ring ring_at(void* storage, int index) { return static_cast<state*>(storage) + index; }
  // Phases above bit 40, arrivals of a phase above bit 20, arrivals that the phase at hand lacks below.
  static void init(ring r, unsigned slot, int arrivals) {
    const std::uint64_t count = static_cast<std::uint64_t>(arrivals);
    ::new (static_cast<void*>(r + slot)) state(count << 20 | count);
  }
  static state* barrier_of(ring r, unsigned slot) { return r + slot; }
  static void publish_init() {}  // threads that start later see it
  static void invalidate(ring, unsigned) {}
  static void arrive(ring r, unsigned slot) {
    const std::uint64_t before = r[slot].fetch_sub(1, std::memory_order_acq_rel);
    // nobody arrives for the next phase before this one is seen to end, so two steps are as good as one
    if ((before & 0xfffffu) == 1u)
      r[slot].fetch_add((std::uint64_t{1} << 40) + (before >> 20 & 0xfffffu), std::memory_order_acq_rel);
  }
  static void expect(ring, unsigned, unsigned) {}         // no engine counts bytes
  static void arrive_when_copied(ring, unsigned) {}       // copies are done when they return
  static bool try_wait(ring r, unsigned slot, unsigned parity) {
    return (r[slot].load(std::memory_order_acquire) >> 40 & 1u) != parity;
  }
  static void wait(ring r, unsigned slot, unsigned parity) {
    for (int polls = 0; !try_wait(r, slot, parity); ++polls)
      if (polls > 64) std::this_thread::yield();
  }
};

}  // namespace penstock::arch::host
