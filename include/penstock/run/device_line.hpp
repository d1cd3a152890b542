// A pipeline in a thread block: its storage, its signals, and the agents that the block's warps become.
#pragma once

#include <penstock/run/agent.hpp>
#include <penstock/run/options.hpp>
#include <penstock/run/result.hpp>

namespace penstock::detail {

template <class L, class Ops>
class device_line {
  static_assert(L::agents == 1 || L::agents < 16, "a block has 16 barriers: its own and one for each of 15 agents");
  static_assert(L::threads <= 1024, "the agents of a pipeline have no more than 32 warps together");
  line_state<L, Ops> state_;

  template <int Stage>
  __device__ __forceinline__ void init_ring() {
    constexpr signal_ring r = L::table.rings[Stage];
    constexpr bool one_lane = runs_in_one_warp(L::table.engines[Stage]);
    constexpr int arrivals = r.arrivals * (every_lane_arrives && !one_lane ? 32 : 1);
    static_assert(arrivals < (1 << 20), "one barrier phase counts fewer than 2^20 arrivals");
    for (int k = 0; k < r.slots; ++k)
      Ops::init(Ops::ring_at(state_.storage + L::layout.signals, r.first), static_cast<unsigned>(k), arrivals);
  }
  template <int... Stage>
  __device__ __forceinline__ void init_rings(std::integer_sequence<int, Stage...>) { (init_ring<Stage>(), ...); }

  template <int A, class... Bound>
  __device__ __forceinline__ long long run_as(int warp, long long n, Bound&... bound) {
    if constexpr (A < L::agents) {
      constexpr int first = L::table.agents[A].first_warp, warps = L::table.agents[A].warps;
      if (L::agents == 1 || (warp >= first && warp < first + warps)) {
        agent_loop<L, Ops, A> loop(state_, n, Ops::rank() - first * 32);
        return loop.run(bound...);
      } else {
        return run_as<A + 1>(warp, n, bound...);
      }
    } else {
      return 0;
    }
  }

 public:
  // By every thread of the block.
  __device__ __forceinline__ device_line() {
    require<Ops>(Ops::count() == L::threads,
                 "a block has another number of threads than its pipeline's mapping asks for", 0, 0);
    if constexpr (checked_build)
      require<Ops>(Ops::shared_bytes() >= L::layout.bytes,
                   "a block has less dynamic shared memory than its pipeline needs: launch it with the options of its "
                   "run, and sourced where that takes a source", 0, 0);
    state_.storage = Ops::storage(slot_alignment);
    state_.stopped = reinterpret_cast<typename Ops::word*>(state_.storage + L::layout.words);
    state_.ended = state_.stopped + 1;
    if (Ops::rank() == 0) {
      init_rings(std::make_integer_sequence<int, L::plan.stages.count>{});
      if constexpr (L::stops) {
        Ops::init_word(state_.stopped, -1);
        Ops::init_word(state_.ended, -1);
      }
      Ops::publish_init();
    }
    drain();
  }
  device_line(const device_line&) = delete;
  device_line& operator=(const device_line&) = delete;

  // The storage is free for other uses once every thread has come here.
  __device__ __forceinline__ ~device_line() {
    Ops::block_barrier();
    if constexpr (L::table.signal_count > 0) {
      if (Ops::rank() == 0)
        for (int k = 0; k < L::table.signal_count; ++k)
          Ops::invalidate(Ops::ring_at(state_.storage + L::layout.signals, 0), static_cast<unsigned>(k));
      Ops::block_barrier();
    }
  }

  __device__ __forceinline__ void drain() {
    if constexpr (fences_between_uses(L::table)) Ops::fence_async();
    Ops::block_barrier();
  }
  __device__ __forceinline__ long long instances() const { return state_.base; }

  template <class... Bound>
  __device__ __forceinline__ run_result run(long long n, Bound&... bound) {
    const long long before = state_.base;
    // where a run may stop, all have met at the end of the last one
    if (L::table.meets_between_runs && !L::stops && before > 0) Ops::block_barrier();
    run_result result{run_as<0>(L::agents == 1 ? 0 : Ops::warp(), n, bound...), false};
    if constexpr (L::stops) {
      Ops::block_barrier();  // whoever copies ahead may have ended before the decision to stop
      const long long stopped = Ops::load(state_.stopped);
      if (stopped >= before) result = run_result{stopped - before + 1, true};
      Ops::block_barrier();
    }
    return result;
  }
};

}  // namespace penstock::detail
