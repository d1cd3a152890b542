// Completion signals between host threads: one counter a stage, of the instances complete so far.
#pragma once

#include <atomic>
#include <thread>

namespace penstock::arch::host {

// Alone on its cache line: the agents that wait on neighbours poll it.
struct alignas(64) counter {
  std::atomic<long long> complete{0};
  const std::atomic<bool>* abandoned = nullptr;  // set when another agent has thrown: nobody will signal any more
};

struct abandoned_wait {};  // thrown to unwind an agent whose peer has thrown

struct signals {
  using ring = counter*;

  static void give_up_if_abandoned(ring r) {
    if (r->abandoned != nullptr && r->abandoned->load(std::memory_order_acquire)) throw abandoned_wait{};
  }
  static void arrive(ring r, unsigned) { r->complete.fetch_add(1, std::memory_order_release); }
  static bool try_wait(ring r, unsigned, unsigned, long long instance) {
    return r->complete.load(std::memory_order_acquire) > instance;
  }
  static void wait(ring r, unsigned slot, unsigned parity, long long instance) {
    for (int polls = 0; !try_wait(r, slot, parity, instance); ++polls) {
      give_up_if_abandoned(r);
      if (polls > 64) std::this_thread::yield();
    }
  }
};

}  // namespace penstock::arch::host
