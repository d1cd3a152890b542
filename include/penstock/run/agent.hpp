// One agent executes its program of the lowering table. The only loops of the run layer; they know no other wait.
#pragma once

#include <penstock/arch/checked.hpp>
#include <penstock/arch/inline.hpp>
#include <penstock/arch/native.hpp>
#include <penstock/run/bind.hpp>
#include <penstock/run/lowered.hpp>
#include <penstock/run/source.hpp>
#include <penstock/run/views.hpp>
#include <penstock/run/watchdog.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace penstock::detail {

// What survives from run to run. Every agent keeps its own copy, all equal between runs.
template <class L, class Ops>
struct line_state {
  unsigned char* storage = nullptr;
  typename Ops::ring signals{};         // of the first ring
  typename Ops::word* stopped = nullptr;  // the instance a run stopped at; one of an earlier run means nothing
  typename Ops::word* ended = nullptr;    // one past the last instance of a run that was cut short
  long long base = 0;                   // instances before this run
  cursor at[L::sizes.sizes.count > 0 ? L::sizes.sizes.count : 1]{};
};

#if defined(PENSTOCK_FOR_RACECHECK)  // which cannot follow an arrival that one lane makes for its warp
inline constexpr bool every_lane_arrives = true;
#else
inline constexpr bool every_lane_arrives = false;
#endif

template <class L, class Ops, int A>
class agent_loop {
  static constexpr int last_skew = L::table.agents[A].last_skew;
  static constexpr int warps = L::table.agents[A].warps;
  static constexpr int threads = warps * Ops::warp_size;
  // barrier 0 is the whole block's; agents that are the block may use it too
  static constexpr int barrier_id = L::agents == 1 ? 0 : A + 1;
  static constexpr int first_stage = [] {
    for (int k = 0; k < L::table.agents[A].loop.size(); ++k)
      if (L::table.agents[A].loop[k].what == op::issue) return L::table.agents[A].loop[k].stage;
    return -1;
  }();
  static constexpr bool any_prefetch = [] {
    for (int s = 0; s < L::plan.stages.size(); ++s) if (L::table.mapped.stages[s].prefetches) return true;
    return false;
  }();
  // how far beyond the stop copies in must still be made: windows of the last iterations may look ahead into them
  static constexpr int overrun = [] {
    int most = 0;
    for (const auto& r : L::table.mapped.stages)
      for (const read_access& read : r.reads)
        for (const auto& w : L::table.mapped.stages)
          if (w.prefetches && w.writes_to(read.buffer) && read.window.last > most) most = read.window.last;
    return most;
  }();
  static constexpr bool leads =
      first_stage >= 0 && L::table.mapped.stages[first_stage >= 0 ? first_stage : 0].prefetches;

  static constexpr bool ends_early = L::stops || L::sourced;
  // check/record.hpp keeps what the agents of a host do; no other line has a tape
  static constexpr bool recorded = requires(line_state<L, Ops>& line) { line.tape; };

  line_state<L, Ops>& line_;
  cursor at_[L::sizes.sizes.count > 0 ? L::sizes.sizes.count : 1];
  long long t_ = 0;     // step
  long long n_;         // instances of this run, as far as this agent knows
  long long items_;     // instances that are iterations of the run; one more may carry the end
  long long live_;      // instances that are computed and written; the rest only keeps the rings in step
  int rank_;            // of this thread in the agent
  bool want_stop_ = false;

  template <int Size, int Back>
  PENSTOCK_HD PENSTOCK_INLINE cursor place() const {
    constexpr int k = L::sizes.index(Size);
    return at_[k].template back<Size, Back>();
  }
  template <int Stage>
  PENSTOCK_HD PENSTOCK_INLINE typename Ops::ring ring() const {
    if constexpr (L::target == backend::host) return line_.signals + Stage;
    else return Ops::ring_at(line_.storage + L::layout.signals, stage_facts<L, Stage>::first_signal);
  }
  template <int Buffer, int Back>
  PENSTOCK_HD PENSTOCK_INLINE unsigned char* slot() const {
    constexpr slot_ring r = L::layout.buffers[Buffer];
    return line_.storage + r.offset + place<r.depth, Back>().slot * static_cast<unsigned>(r.stride);
  }
  PENSTOCK_HD PENSTOCK_INLINE bool first_warp() const {
    if constexpr (warps == 1) return true;
    else return rank_ < Ops::warp_size;
  }

  // Is instance i of a stage with this skew part of this run? Agents without skew only take steps that are.
  PENSTOCK_HD PENSTOCK_INLINE bool present(long long i) const {
    if constexpr (last_skew == 0) return true;
    else return i >= 0 && i < n_;
  }

  // -------------------------------------------------------------------------------- what to do, and the end
  template <int Back>
  PENSTOCK_HD PENSTOCK_INLINE const long long& item() const {
    return *reinterpret_cast<const long long*>(slot<L::item_buffer, Back>());
  }
  // The end travels through the ring of items. Looks at instance i, `Back` places back, whose item has arrived.
  template <int Back>
  PENSTOCK_HD PENSTOCK_INLINE void learn(long long i) {
    if constexpr (L::sourced) {
      if (i < 0 || i >= n_ || item<Back>() >= 0) return;
      n_ = i + 1;
      if (i < items_) items_ = i;
      if (items_ < live_) live_ = items_;
    }
  }
  template <int Stage, int Ahead>
  PENSTOCK_HD PENSTOCK_INLINE void learn_window(long long i) {
    using facts = stage_facts<L, Stage>;
    if constexpr (Ahead <= facts::item_reach) {
      // the instances nearer than the furthest were looked at in earlier steps
      if (Ahead == facts::item_reach || i == 0) learn<facts::skew - Ahead>(i + Ahead);
      learn_window<Stage, Ahead + 1>(i);
    }
  }
  PENSTOCK_EXEC_CHECK_DISABLE
  template <int Stage, class F>
  PENSTOCK_HD PENSTOCK_INLINE void ask(F& next, long long i) {
    if (first_warp()) {
      Ops::warp_barrier();  // a lane may still read what this slot held
      if (Ops::elected()) {
        constexpr int skew = stage_facts<L, Stage>::skew;
        bool asks = i < live_ + overrun;
        // an agent of several warps learns of the end a step later: a source is not asked beyond it
        if constexpr (warps > 1) asks = asks && (i == 0 || item<skew + 1>() >= 0);
        const long long answer = asks ? static_cast<long long>(next()) : no_more;
        *reinterpret_cast<long long*>(slot<L::item_buffer, skew>()) = answer;
      }
      Ops::warp_barrier();
      if constexpr (warps == 1) learn<stage_facts<L, Stage>::skew>(i);
    }
  }

  // What the user's functions get: the iteration, or the item a source yielded for it.
  template <int Stage>
  PENSTOCK_HD PENSTOCK_INLINE long long subject(long long i) const {
    if constexpr (L::sourced) return item<stage_facts<L, Stage>::skew>();
    else return i;
  }

  // -------------------------------------------------------------------------------- the stop protocol
  PENSTOCK_HD PENSTOCK_INLINE void hear(long long i, bool first) {
    if constexpr (L::stops && L::agents > 1) {
      const long long stopped = Ops::load_uniform(line_.stopped);
      if (stopped >= line_.base && stopped - line_.base + 1 < live_) live_ = stopped - line_.base + 1;
      if constexpr (leads) {
        // the instance at hand becomes the last one: it carries the end to everybody who waits for it
        if (first && i >= live_ + overrun && i + 1 < n_) {
          n_ = i + 1;
          if (Ops::elected()) Ops::store(line_.ended, line_.base + n_);
        }
      } else if constexpr (any_prefetch) {
        const long long ended = Ops::load_uniform(line_.ended);
        if (ended > line_.base && ended - line_.base < n_) n_ = ended - line_.base;
      } else {
        end_after_stop();
      }
    }
  }
  // Where nobody copies ahead, everyone goes through the first instance after the stop: there all have heard of it.
  PENSTOCK_HD PENSTOCK_INLINE void end_after_stop() {
    if (live_ + 1 < n_) n_ = live_ + 1;
  }
  template <int Stage>
  PENSTOCK_HD PENSTOCK_INLINE void agree(long long i) {
    const bool stop_now = Ops::template any<barrier_id, threads>(want_stop_);
    want_stop_ = false;
    if (!stop_now) return;
    if constexpr (recorded) line_.tape->stop(A, Stage, line_.base + i);
    live_ = i + 1;
    if (rank_ == 0) Ops::store(line_.stopped, line_.base + i);
    if constexpr (L::agents == 1) {
      // everything already issued is drained; t is the newest instance anybody can have issued
      const long long needed = live_ + overrun;
      const long long issued = any_prefetch && t_ + 1 > needed ? t_ + 1 : needed;
      if (issued < n_) n_ = issued;
    } else if constexpr (!any_prefetch) {
      end_after_stop();
    }
  }

  // -------------------------------------------------------------------------------- bodies
  template <class Clause, int Stage>
  PENSTOCK_HD PENSTOCK_INLINE decltype(auto) view(long long i) const {
    using buffer = buffer_of<L, Clause>;
    using T = typename buffer::type;
    constexpr int skew = stage_facts<L, Stage>::skew;
    if constexpr (Clause::clause == clause::read) {
      if constexpr (Clause::window.first == 0 && Clause::window.last == 0)
        return (*reinterpret_cast<const T*>(slot<buffer::index, skew>()));
      else
        return window_view<T, buffer::depth, Clause::window.first, Clause::window.last>(
            line_.storage + buffer::offset, buffer::stride, place<buffer::depth, skew>().slot, i, items_ - 1 - i);
    } else {
      return (*reinterpret_cast<T*>(slot<buffer::index, skew>()));
    }
  }

  PENSTOCK_EXEC_CHECK_DISABLE
  template <int Stage, class F, class... Views>
  PENSTOCK_HD PENSTOCK_INLINE auto call(F& f, long long i, clause_list<>, Views&... views) const {
    const group<Ops, threads, barrier_id> g(rank_);
    return f(g, views..., subject<Stage>(i));
  }
  template <int Stage, class F, class Clause, class... Rest, class... Views>
  PENSTOCK_HD PENSTOCK_INLINE auto call(F& f, long long i, clause_list<Clause, Rest...>, Views&... views) const {
    if constexpr (is_access<Clause>) {
      auto&& v = view<Clause, Stage>(i);
      return call<Stage>(f, i, clause_list<Rest...>{}, views..., v);
    } else {
      return call<Stage>(f, i, clause_list<Rest...>{}, views...);
    }
  }

  // -------------------------------------------------------------------------------- copies
  // What a stage's function returned for instance i: does it fit the slot, and how many bytes is it?
  template <int Stage, class Said>
  PENSTOCK_HD PENSTOCK_INLINE auto sized(Said said, long long i) const {
    using facts = stage_facts<L, Stage>;
    using Move = decltype(said.move);
    Move m = said.move;
    constexpr long long bytes = sizeof(slot_type<typename L::pipeline, facts::buffer>);
    if constexpr (requires { m.bytes; }) {
      static_assert(!std::is_same_v<Move, aligned_range> || bytes % 16 == 0,
                    "from_aligned and to_aligned move slots of a multiple of 16 bytes; from and to move any");
      if (m.bytes == range::whole_slot) m.bytes = bytes;
      const unsigned at = place<L::layout.buffers[facts::buffer].depth, facts::skew - facts::offset>().slot;
      require<Ops>(m.bytes >= 0 && m.bytes <= bytes, "a copy is longer than its slot", at, line_.base + i);
      if constexpr (std::is_same_v<Move, aligned_range>)
        require<Ops>((reinterpret_cast<std::uintptr_t>(m.address) | static_cast<std::uintptr_t>(m.bytes)) % 16 == 0,
                     "an aligned copy has an address or a size that is no multiple of 16", at, line_.base + i);
    } else {
      static_assert(Move::box_bytes <= bytes, "a box is larger than its slot");
      if constexpr (checked_build && requires { Ops::engine_reads(m.array); })
        require<Ops>(!m.mapped() || Ops::engine_reads(m.array),
                     "a tiled array lies in a thread's own memory: take it as a const __grid_constant__ parameter, and "
                     "capture it by reference", 0, line_.base + i);
    }
    return m;
  }

  PENSTOCK_EXEC_CHECK_DISABLE
  template <int Stage, class F>
  PENSTOCK_HD PENSTOCK_INLINE void start_copy(F& f, long long i) {
    using facts = stage_facts<L, Stage>;
    constexpr int sharers = facts::one_warp ? Ops::warp_size : threads;
    const int share = facts::one_warp ? rank_ % Ops::warp_size : rank_;
    if constexpr (facts::one_warp) {
      if (!first_warp()) return;
      // a lane still polling a phase that the copy about to start will complete could miss it
      Ops::warp_barrier();
    }
    unsigned char* at = slot<facts::buffer, facts::skew - facts::offset>();
    if constexpr (facts::copies_in) {
      typename Ops::ring signal{};
      unsigned k = 0;
      if constexpr (facts::signal_slots > 0) {
        signal = ring<Stage>();
        k = place<facts::signal_slots, facts::skew>().slot;
      }
      if (ends_early && (i >= items_ || i >= live_ + overrun)) {
        if constexpr (facts::engine == engine_kind::bulk_in) if (Ops::elected()) Ops::arrive(signal, k);
        return;
      }
      Ops::start_in(at, sized<Stage>(f(subject<Stage>(i)), i), signal, k, share, sharers);
    } else {
      if (ends_early && i >= live_) return;
      Ops::start_out(sized<Stage>(f(subject<Stage>(i)), i), at, share, sharers);
    }
  }

  // Is instance i computed or moved, or does it only keep its rings in step?
  template <int Stage>
  PENSTOCK_HD PENSTOCK_INLINE bool acts(long long i) const {
    using facts = stage_facts<L, Stage>;
    if constexpr (facts::engine == engine_kind::source) return i < live_ + overrun;
    else if constexpr (facts::copies_in) return i < items_ && i < live_ + overrun;
    else return i < live_;
  }

  // -------------------------------------------------------------------------------- steps
  PENSTOCK_EXEC_CHECK_DISABLE
  template <int K, class... Bound>
  PENSTOCK_HD PENSTOCK_INLINE void execute(Bound&... bound) {
    constexpr step s = L::table.agents[A].loop[K];
    if constexpr (s.what == op::barrier) {
      if constexpr (warps == 1) Ops::warp_barrier();
      else Ops::template barrier<barrier_id, threads>();
    } else if constexpr (s.what == op::wait_groups) {
      Ops::template wait_copies<s.count>();
    } else if constexpr (s.what == op::wait_reads) {
      if (first_warp() && Ops::elected()) Ops::template wait_reads<s.count>();
    } else if constexpr (s.what == op::commit) {
      if constexpr (stage_facts<L, s.stage>::engine == engine_kind::async_copy) Ops::commit_copies();
      else if (first_warp() && Ops::elected()) Ops::commit_bulk();
    } else {
      using facts = stage_facts<L, s.stage>;
      constexpr int skew = facts::skew;
      const long long i = t_ - skew;
      if constexpr (s.what == op::issue) {
        if (present(i)) {
          if constexpr (facts::engine != engine_kind::source) learn_window<s.stage, 0>(i);
          hear(i, s.stage == first_stage);
          if constexpr (recorded) line_.tape->issue(A, s.stage, line_.base + i, acts<s.stage>(i));
          auto& f = function_of<stage_at<typename L::pipeline, s.stage>::id>(bound...);
          if constexpr (facts::engine == engine_kind::source) {
            ask<s.stage>(f, i);
          } else if constexpr (facts::engine != engine_kind::body) {
            start_copy<s.stage>(f, i);
          } else if (!ends_early || i < live_) {
            using clauses = typename stage_at<typename L::pipeline, s.stage>::clauses;
            if constexpr (facts::stops)
              want_stop_ = call<s.stage>(f, i, clauses{}) == flow::stop;
            else
              call<s.stage>(f, i, clauses{});
          }
          if constexpr (recorded) line_.tape->release(A);
        }
      } else if constexpr (s.what == op::agree) {
        if (present(i)) agree<s.stage>(i);
      } else if constexpr (s.what == op::fence) {
        if (present(i)) Ops::fence_async();
      } else if constexpr (s.what == op::wait_signal) {
        constexpr int slots = stage_facts<L, s.on>::signal_slots;
        const long long x = i - s.distance;
        if constexpr (s.distance < 0) learn<skew + s.distance + 1>(x - 1);
        // a look-ahead is due for every instance waited for, also before the waiter's own first one
        if (s.distance >= 0 ? present(i) : x >= 0 && x < n_) {
          if constexpr (recorded) line_.tape->wait(A, s.stage);
          const cursor c = place<slots, skew + s.distance>();
          await<typename L::pipeline, s.stage, s.on, Ops>(ring<s.on>(), c.slot, c.parity, line_.base + x);
        }
      } else if constexpr (s.what == op::wait_first) {
        // in the first step: the look-ahead waits begin there, and each learns by the one before
        if constexpr (s.distance < 0) if (t_ == 0) learn<s.distance + 1>(-s.distance - 1);
        if (t_ == 0 && -s.distance < n_) {
          if constexpr (recorded) line_.tape->wait(A, s.stage);
          const cursor c = place<stage_facts<L, s.on>::signal_slots, s.distance>();
          await<typename L::pipeline, s.stage, s.on, Ops>(ring<s.on>(), c.slot, c.parity, line_.base - s.distance);
        }
      } else {
        static_assert(s.what == op::signal);
        constexpr bool one_lane = facts::one_warp;
        if (present(i) && i >= s.distance) {
          const unsigned k = place<facts::signal_slots, skew + s.distance>().slot;
          Ops::warp_barrier();
          if ((every_lane_arrives && !one_lane) || Ops::elected()) Ops::arrive(ring<s.stage>(), k);
        }
      }
    }
  }

  // Runs one past the last step, so instance n - k is `last_skew + k` places back.
  template <int K>
  PENSTOCK_HD PENSTOCK_INLINE void execute_drain() {
    constexpr step s = L::table.agents[A].drain[K];
    if constexpr (s.what == op::wait_groups) {
      Ops::template wait_copies<s.count>();
    } else if constexpr (s.what == op::wait_reads) {
      if (first_warp() && Ops::elected()) Ops::template wait_reads<s.count>();
    } else if constexpr (s.what == op::wait_writes) {
      if (first_warp() && Ops::elected()) Ops::template wait_writes<s.count>();
    } else if constexpr (s.what == op::wait_signal) {
      if (n_ >= s.distance) {
        const cursor c = place<stage_facts<L, s.on>::signal_slots, last_skew + s.distance>();
        await<typename L::pipeline, s.stage, s.on, Ops>(ring<s.on>(), c.slot, c.parity, line_.base + n_ - s.distance);
      }
    } else {
      static_assert(s.what == op::signal);
      signal_last<s.stage, s.distance>();
    }
  }
  template <int Stage, int Back>
  PENSTOCK_HD PENSTOCK_INLINE void signal_last() {
    if constexpr (Back > 0) {
      if (n_ >= Back && Ops::elected())
        Ops::arrive(ring<Stage>(), place<stage_facts<L, Stage>::signal_slots, last_skew + Back>().slot);
      signal_last<Stage, Back - 1>();
    }
  }

  template <int... Size>
  PENSTOCK_HD PENSTOCK_INLINE void advance(std::integer_sequence<int, Size...>) {
    (at_[Size].template advance<L::sizes.sizes[Size]>(), ...);
  }
  template <int... Size>
  PENSTOCK_HD PENSTOCK_INLINE void keep(std::integer_sequence<int, Size...>) {
    ((line_.at[Size] = at_[Size].template back<L::sizes.sizes[Size], last_skew>()), ...);
  }
  template <int... K, int... D, class... Bound>
  PENSTOCK_HD PENSTOCK_INLINE void run(std::integer_sequence<int, K...>, std::integer_sequence<int, D...>,
                                       Bound&... bound) {
    using every_size = std::make_integer_sequence<int, L::sizes.sizes.count>;
    PENSTOCK_ROLLED
    for (t_ = 0; t_ < n_ + last_skew; ++t_) {
      (execute<K>(bound...), ...);
      advance(every_size{});
    }
    if constexpr (recorded) line_.tape->drain(A);
    (execute_drain<D>(), ...);
    if constexpr (recorded) line_.tape->drained(A);
    keep(every_size{});
    line_.base += n_;
  }

 public:
  PENSTOCK_HD PENSTOCK_INLINE agent_loop(line_state<L, Ops>& line, long long n, int rank)
      : line_(line), n_(n), items_(n), live_(n), rank_(rank) {
    for (int k = 0; k < L::sizes.sizes.count; ++k) at_[k] = line.at[k];
  }

  // How many iterations the run turned out to have, a stop aside.
  template <class... Bound>
  PENSTOCK_HD PENSTOCK_INLINE long long run(Bound&... bound) {
    if (n_ <= 0) return 0;
    run(std::make_integer_sequence<int, L::table.agents[A].loop.count>{},
        std::make_integer_sequence<int, L::table.agents[A].drain.count>{}, bound...);
    return items_;
  }
};

}  // namespace penstock::detail
