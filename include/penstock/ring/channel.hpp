// channel<T, depth, producers<…>, consumers<…>>: a ring of slots in shared memory for people who own their loop.
//
//        released by all consumers          filled by all producers
//       ┌───────────────────────────┐      ┌─────────────────────────┐
//   ────▼────┬─────────┬─────────┬──┴──────▼┬─────────┬─────────┬────┴────
//       W    │    W    │    X    │    X     │    R    │    R    │   X
//   ─────────┴─────────┴─────────┴──────────┴─────────┴─────────┴─────────
//     W: a producer fills it     X: filled, or free, and in nobody's hands     R: a consumer reads it
//
//   call                  waits until                                      then
//   producer.acquire()    all consumers have released the slot's last      the slot is W, this producer's part of it
//                         instance
//   slot.commit()         never                                            X once all producers have committed it and the
//                                                                          bytes of their copies have arrived
//   consumer.acquire()    all producers have committed the slot and its    the slot is R
//                         bytes have arrived
//   slot.release()        its own copies out or products of the slot that  X once all consumers have released it
//                         is `release_after` slots older have been read
//   producer.finish()     the next slot is free                            consumers' acquire yields nothing, once
//   consumer.stop()       never                                            its acquire yields nothing until the run ends;
//                                                                          when all have stopped, so does the producers'
//   producer.drain()      all slots have been released                     the end is gone; nothing is in flight
//   consumer.drain()      the producers have drained or gone               the end is gone; nothing is being read
//
// A run is what comes between two ends: `while (auto slot = consumer.acquire())` is one run. A channel carries any
// number of runs; counters and phases go on. Destructors commit, release and drain what has not been by then, so every
// way out of a loop is a legal one. Wrong use: an end in the hands of more or fewer threads than its party has, a call
// that one lane of a warp makes without the others, a slot's address kept beyond its commit or release.
#pragma once

#include <penstock/arch/ring_native.hpp>
#include <penstock/ring/consumer.hpp>
#include <penstock/ring/producer.hpp>

#include <cstdint>
#include <type_traits>

namespace penstock {

template <class T, int Depth, class Producers, class Consumers, reuse Reuse = reuse::fenced>
class channel {
  static_assert(std::is_trivially_copyable_v<T>, "a slot is filled byte by byte: its type must be trivially copyable");
  static_assert(Depth >= 1, "a ring has at least one slot");
  static_assert(!detail::any_by<Producers>(detail::means::engine) || sizeof(T) < (1 << 20),
                "copies of fewer than 2^20 bytes complete one phase of a barrier");
  using layout = detail::channel_layout<T, Depth, Consumers::count>;

 public:
  using ops = arch::ring_ops;
  using value_type = T;
  static constexpr int depth = Depth;
  static constexpr int producer_count = Producers::count;
  static constexpr int consumer_count = Consumers::count;
  static constexpr list<detail::party, producer_count> producer_list = Producers::parties;
  static constexpr list<detail::party, consumer_count> consumer_list = Consumers::parties;
  template <int I>
  static constexpr detail::party producer_party = Producers::parties[I];
  template <int I>
  static constexpr detail::party consumer_party = Consumers::parties[I];
  // Threads of a party; one on the host.
  template <int I>
  static constexpr int producer_size = ops::warp_size == 1 ? 1 : Producers::parties[I].threads;
  template <int I>
  static constexpr int consumer_size = ops::warp_size == 1 ? 1 : Consumers::parties[I].threads;
  // Do the copies of this producer go on while its threads do something else?
  template <int I>
  static constexpr bool copies_are_async =
      Producers::parties[I].by != detail::means::plain && (ops::has_engine || ops::has_async_copies);

  // What a channel needs of shared memory (of any memory, on the host). Needs no construction.
  struct alignas(layout::alignment) storage {
    unsigned char bytes[layout::bytes];
  };

  // By every thread of the block, which this synchronises. On the host by one thread, before the others start.
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD PENSTOCK_INLINE explicit channel(storage& memory)
      : memory_(memory.bytes), barriers_(ops::ring_at(memory.bytes + layout::full, 0)) {
    detail::require<ops>(reinterpret_cast<std::uintptr_t>(memory_) % layout::alignment == 0,
                         "a channel's storage is not aligned as its type says", 0, 0);
    if (ops::rank() == 0) {
      for (int k = 0; k < Depth; ++k) {
        ops::init(full(), static_cast<unsigned>(k), detail::arrivals<ops, Producers>());
        ops::init(empty(), static_cast<unsigned>(k), detail::arrivals<ops, Consumers>());
        ops::init_word(mark_word(k), 0);
      }
      for (int k = 0; k < consumer_count; ++k) ops::init_word(stop_word(k), -1);
      ops::publish_init();
    }
    // these threads may have used the memory for something else
    if constexpr (detail::any_by<Producers>(detail::means::engine)) ops::fence_async();
    ops::block_barrier();
  }
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  // By every thread of the block, after all ends have drained. Then the storage is free. On the host after the threads.
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD PENSTOCK_INLINE ~channel() {
    ops::block_barrier();
    if (ops::rank() == 0)
      for (int k = 0; k < 2 * Depth; ++k) ops::invalidate(full(), static_cast<unsigned>(k));
    ops::block_barrier();
  }

  // Producer I of this channel, by each of its threads; `rank` counts them from 0. A party keeps its threads for the
  // channel's life, but may drain its end and come for another.
  template <int I = 0>
  PENSTOCK_HD PENSTOCK_INLINE producer_end<channel, I> producer(int rank) {
    static_assert(I >= 0 && I < producer_count, "producer<I>: I counts the parties of producers<...> from 0");
    take(producers_[I].taken, rank, producer_size<I>);
    return producer_end<channel, I>(this, rank);
  }
  template <int I = 0>
  PENSTOCK_HD PENSTOCK_INLINE consumer_end<channel, I> consumer(int rank) {
    static_assert(I >= 0 && I < consumer_count, "consumer<I>: I counts the parties of consumers<...> from 0");
    constexpr int kept = consumer_party<I>.kept(Depth);
    static_assert(kept < Depth, "release_after<N> keeps N slots back, and one more must stay free for the producers: "
                                "give the channel more than N slots");
    take(consumers_[I].taken, rank, consumer_size<I>);
    return consumer_end<channel, I>(this, rank);
  }
  // The same for a party of one warp, which knows its ranks.
  PENSTOCK_EXEC_CHECK_DISABLE
  template <int I = 0>
  PENSTOCK_HD PENSTOCK_INLINE producer_end<channel, I> producer() {
    static_assert(producer_party<I>.threads <= 32, "a party of more than one warp says its rank: producer(rank)");
    return producer<I>(ops::lane());
  }
  PENSTOCK_EXEC_CHECK_DISABLE
  template <int I = 0>
  PENSTOCK_HD PENSTOCK_INLINE consumer_end<channel, I> consumer() {
    static_assert(consumer_party<I>.threads <= 32, "a party of more than one warp says its rank: consumer(rank)");
    return consumer<I>(ops::lane());
  }

 private:
  template <class, int> friend class producer_end;
  template <class, int> friend class producer_slot;
  template <class, int> friend class consumer_end;
  template <class, int> friend class consumer_slot;
  using ring = typename ops::ring;
  using word = typename ops::word;

  unsigned char* memory_;
  ring barriers_;
  detail::producer_state producers_[producer_count]{};
  detail::consumer_state consumers_[consumer_count]{};

  PENSTOCK_HD PENSTOCK_INLINE T* slot(unsigned k) const {
    return reinterpret_cast<T*>(memory_ + k * static_cast<unsigned>(layout::stride));
  }
  PENSTOCK_HD PENSTOCK_INLINE ring full() const { return barriers_; }
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD PENSTOCK_INLINE ring empty() const { return ops::barrier_of(barriers_, Depth); }
  PENSTOCK_HD PENSTOCK_INLINE word* mark_word(int k) const {
    return reinterpret_cast<word*>(memory_ + layout::marks) + k;
  }
  PENSTOCK_HD PENSTOCK_INLINE word* stop_word(int k) const {
    return reinterpret_cast<word*>(memory_ + layout::stops) + k;
  }
  template <int I>
  PENSTOCK_HD PENSTOCK_INLINE detail::producer_state& producer_at() { return producers_[I]; }
  template <int I>
  PENSTOCK_HD PENSTOCK_INLINE detail::consumer_state& consumer_at() { return consumers_[I]; }

  static PENSTOCK_HD PENSTOCK_INLINE void take(bool& taken, int rank, int size) {
    detail::require<ops>(!taken, "a thread takes an end of a channel that it still holds", 0, 0);
    detail::require<ops>(rank >= 0 && rank < size, "a thread's rank in its party is out of range", 0, rank);
    taken = true;
  }

  // One arrival a warp, after all its lanes have come; of each thread, where a warp has lanes outside the party.
  PENSTOCK_EXEC_CHECK_DISABLE
  template <int Threads>
  static PENSTOCK_HD PENSTOCK_INLINE void gather() {
    if constexpr (Threads % 32 == 0) ops::warp_barrier();
  }
  PENSTOCK_EXEC_CHECK_DISABLE
  template <int Threads, bool Alone>
  static PENSTOCK_HD PENSTOCK_INLINE void arrive(ring r, unsigned k) {
    if (Threads % 32 != 0 || (detail::each_lane_arrives && !Alone) || ops::elected()) ops::arrive(r, k);
  }

  // Every writer orders its part before its arrival.
  PENSTOCK_EXEC_CHECK_DISABLE
  template <int I>
  PENSTOCK_HD PENSTOCK_INLINE void publish(const detail::position& p, int rank, detail::mark m) {
    constexpr detail::party who = producer_party<I>;
    constexpr bool alone = detail::acts_alone<ops>(who);
    if constexpr (who.by == detail::means::plain && detail::any_async<Consumers>()) ops::fence_async();
    if constexpr (!alone && copies_are_async<I>) ops::arrive_when_copied(full(), p.at.slot);
    gather<who.threads>();
    if constexpr (I == 0) {
      if (who.one_warp() ? ops::elected() : rank == 0)
        ops::store(mark_word(static_cast<int>(p.at.slot)), static_cast<long long>(m));
    }
    arrive<who.threads, alone>(full(), p.at.slot);
  }

  // Have all consumers asked for an end of this run? A lone warp or thread ends it at once. Several warps must end it
  // at the same instance: `depth` after the one a consumer named, because whoever gets that far has seen the word.
  PENSTOCK_EXEC_CHECK_DISABLE
  template <bool Uniform, bool AtOnce>
  PENSTOCK_HD PENSTOCK_INLINE bool stop_asked(const detail::producer_state& s) const {
    bool all = true;
    for (int k = 0; k < consumer_count; ++k) {
      const long long at = Uniform ? ops::load_uniform(stop_word(k)) : ops::load(stop_word(k));
      all = all && at >= s.run_start && (AtOnce || at + Depth <= s.next.count);
    }
    return all;
  }

  // What the slot holds; after this its contents may be read by the consumer's means.
  PENSTOCK_EXEC_CHECK_DISABLE
  template <int I>
  PENSTOCK_HD PENSTOCK_INLINE detail::mark mark_of(const detail::position& p) const {
    // cp.async completes without an instruction that could fence it on the writer's side
    if constexpr (detail::any_by<Producers>(detail::means::copies) &&
                  detail::through_async_proxy(consumer_party<I>.by))
      ops::fence_async();
    const int m = static_cast<int>(ops::load(mark_word(static_cast<int>(p.at.slot))));
    if constexpr (consumer_party<I>.whole_warps()) return static_cast<detail::mark>(ops::warp_first(m));
    else return static_cast<detail::mark>(m);
  }

  template <int I>
  PENSTOCK_HD PENSTOCK_INLINE void arrive_empty(unsigned k) const {
    gather<consumer_party<I>.threads>();
    arrive<consumer_party<I>.threads, detail::acts_alone<ops>(consumer_party<I>)>(empty(), k);
  }

  PENSTOCK_EXEC_CHECK_DISABLE
  template <int I>
  PENSTOCK_HD PENSTOCK_INLINE void release(const detail::position& p) {
    constexpr detail::party who = consumer_party<I>;
    if constexpr (!who.reads_late()) {
      if constexpr (detail::any_by<Producers>(detail::means::engine) && Reuse == reuse::fenced) ops::fence_async();
      arrive_empty<I>(p.at.slot);
    } else {
      constexpr int lag = who.kept(Depth);
      detail::consumer_state& s = consumers_[I];
      commit_reads<I>();
      await_reads<I, lag>();
      if (s.kept < lag) ++s.kept;
      else arrive_empty<I>(p.at.template back<Depth, lag>().slot);
    }
  }

  PENSTOCK_EXEC_CHECK_DISABLE
  template <int I>
  static PENSTOCK_HD PENSTOCK_INLINE void commit_reads() {
    if constexpr (consumer_party<I>.by == detail::means::products) ops::commit_products();
    else if (ops::elected()) ops::commit_bulk();
  }
  PENSTOCK_EXEC_CHECK_DISABLE
  template <int I, int Pending>
  static PENSTOCK_HD PENSTOCK_INLINE void await_reads() {
    if constexpr (consumer_party<I>.by == detail::means::products) ops::template wait_products<Pending>();
    else if (ops::elected()) ops::template wait_reads<Pending>();
  }

  // Releases what a late reader kept back.
  template <int I>
  PENSTOCK_HD PENSTOCK_INLINE void let_go() {
    if constexpr (consumer_party<I>.reads_late() && consumer_party<I>.kept(Depth) > 0) {
      await_reads<I, 0>();  // on every path: the compiler must see that products end before their sums are read
      let_go_from<I, consumer_party<I>.kept(Depth)>();
      consumers_[I].kept = 0;
    }
  }
  template <int I, int Back>
  PENSTOCK_HD PENSTOCK_INLINE void let_go_from() {
    if constexpr (Back > 0) {
      if (consumers_[I].kept >= Back) arrive_empty<I>(consumers_[I].next.at.template back<Depth, Back>().slot);
      let_go_from<I, Back - 1>();
    }
  }

  PENSTOCK_EXEC_CHECK_DISABLE
  template <int I>
  static PENSTOCK_HD PENSTOCK_INLINE void complete_copies_out() {
    if constexpr (consumer_party<I>.by == detail::means::engine)
      if (ops::elected()) ops::template wait_writes<0>();
  }
};

}  // namespace penstock
