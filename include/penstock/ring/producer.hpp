// The producer's side of a channel: an end that acquires free slots, and the slot it gets, which is committed once.
#pragma once

#include <penstock/arch/moves.hpp>
#include <penstock/ring/checked.hpp>
#include <penstock/ring/slots.hpp>

#include <utility>

namespace penstock {

template <class Channel, int I>
class producer_end;

// A free slot in a producer's hands. Whoever has not committed it by then does so in the destructor.
template <class Channel, int I>
class producer_slot {
  using ops = typename Channel::ops;
  static constexpr detail::party who = Channel::template producer_party<I>;

 public:
  PENSTOCK_HD PENSTOCK_INLINE producer_slot(producer_slot&& other) noexcept
      : channel_(other.channel_), place_(other.place_), rank_(other.rank_), hold_(other.hold_) {
    other.hold_ = detail::hold::nothing;
  }
  producer_slot(const producer_slot&) = delete;
  producer_slot& operator=(const producer_slot&) = delete;
  PENSTOCK_HD PENSTOCK_INLINE ~producer_slot() {
    if (hold_ == detail::hold::slot) publish(detail::mark::data);
  }

  // False when all consumers have asked for an end of this run, or, from try_acquire, when no slot is free yet.
  PENSTOCK_HD PENSTOCK_INLINE explicit operator bool() const { return hold_ == detail::hold::slot; }
  PENSTOCK_HD PENSTOCK_INLINE bool not_yet() const { return hold_ == detail::hold::not_yet; }

  PENSTOCK_HD PENSTOCK_INLINE typename Channel::value_type& operator*() const {
    require_held("a slot is used after its commit");
    return *channel_->slot(place_.at.slot);
  }
  PENSTOCK_HD PENSTOCK_INLINE typename Channel::value_type* operator->() const { return &**this; }
  PENSTOCK_HD PENSTOCK_INLINE int index() const { return static_cast<int>(place_.at.slot); }

  // Fills one part of the slot: from(pointer), from(pointer, count), from_aligned(pointer), from(tiled, coordinates…); a
  // box wants a part that starts at a multiple of 128 bytes (swizzled: of its alignment), an aligned range one of 16. By
  // all threads of the producer; the commit may follow at once, consumers wait for the bytes.
  PENSTOCK_EXEC_CHECK_DISABLE
  template <class Part, class Said>
  PENSTOCK_HD PENSTOCK_INLINE void copy(Part& part, Said said) const {
    static_assert(is_incoming<Said>, "a producer copies from(...) somewhere into its slot");
    require_held("a copy into a slot after its commit");
    using Move = decltype(said.move);
    Move source = said.move;
    if constexpr (requires { source.bytes; }) {
      if (source.bytes == range::whole_slot) source.bytes = static_cast<long long>(sizeof(Part));
    } else {
      static_assert(Move::box_bytes <= sizeof(Part), "a box is larger than the part of the slot it goes to");
    }
    detail::require_fit<ops>(source, part, place_.at.slot, place_.count);
    if constexpr (requires { source.box; })
      detail::require<ops>(source.box.mapped(), "a row of a swizzled box starts at no multiple of 16 bytes",
                           place_.at.slot, place_.count);
    if constexpr (detail::acts_alone<ops>(who))
      ops::engine_in(&part, source, channel_->full(), place_.at.slot, rank_, who.threads);
    else if constexpr (Channel::template copies_are_async<I>)
      ops::async_in(&part, source, rank_, Channel::template producer_size<I>);
    else
      ops::plain_in(&part, source, rank_, Channel::template producer_size<I>);
  }
  template <class Said>
  PENSTOCK_HD PENSTOCK_INLINE void copy(Said said) const { copy(**this, said); }

  // For copies of one's own, by instructions that complete on an mbarrier: its address, and the bytes that they will
  // bring, said before they start. By the whole warp of a producer by_bulk; one lane expects.
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD PENSTOCK_INLINE auto barrier() const {
    static_assert(detail::acts_alone<ops>(who) || ops::warp_size == 1,
                  "only a producer by_bulk on sm_90 has copies that complete on a barrier");
    return ops::barrier_of(channel_->full(), place_.at.slot);
  }
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD PENSTOCK_INLINE void expect(int bytes) const {
    require_held("bytes are expected in a slot after its commit");
    if (ops::elected()) ops::expect(channel_->full(), place_.at.slot, static_cast<unsigned>(bytes));
  }

  // Gives the slot to the consumers.
  PENSTOCK_HD PENSTOCK_INLINE void commit() { publish(detail::mark::data); }
  // The same, and says that the run ends with this slot: no slot is spent on the end.
  PENSTOCK_HD PENSTOCK_INLINE void commit_last() {
    detail::producer_state& state = channel_->template producer_at<I>();
    detail::require<ops>(state.next.count == place_.count + 1, "commit_last of a slot that is not the newest",
                         place_.at.slot, place_.count);
    publish(detail::mark::last);
    state.run_start = state.next.count;
  }
  // Consumers get the slot marked as skipped: it holds nothing.
  PENSTOCK_HD PENSTOCK_INLINE void skip() { publish(detail::mark::skipped); }

 private:
  friend class producer_end<Channel, I>;
  PENSTOCK_HD PENSTOCK_INLINE producer_slot(Channel* channel, const detail::position& place, int rank, detail::hold h)
      : channel_(channel), place_(place), rank_(rank), hold_(h) {}

  PENSTOCK_HD PENSTOCK_INLINE void require_held(const char* sentence) const {
    detail::require<ops>(hold_ == detail::hold::slot, sentence, place_.at.slot, place_.count);
  }
  PENSTOCK_HD PENSTOCK_INLINE void publish(detail::mark m) {
    require_held("a slot is committed twice, or was never acquired");
    hold_ = detail::hold::nothing;
    channel_->template publish<I>(place_, rank_, m);
  }

  Channel* channel_;
  detail::position place_;
  int rank_;
  detail::hold hold_;
};

// One producer of a channel, held by each of its threads. Its calls are made by all of them, warps converged.
template <class Channel, int I>
class producer_end {
  using ops = typename Channel::ops;
  using slot = producer_slot<Channel, I>;
  static constexpr int depth = Channel::depth;
  static constexpr detail::party who = Channel::template producer_party<I>;
  static constexpr bool alone = detail::acts_alone<ops>(who);
  static constexpr bool decides_alone =
      Channel::producer_count == 1 && (who.one_warp() || Channel::template producer_size<I> == 1);

 public:
  PENSTOCK_HD PENSTOCK_INLINE producer_end(producer_end&& other) noexcept : channel_(other.channel_), rank_(other.rank_) {
    other.channel_ = nullptr;
  }
  producer_end(const producer_end&) = delete;
  producer_end& operator=(const producer_end&) = delete;
  PENSTOCK_HD PENSTOCK_INLINE ~producer_end() {
    if (channel_ != nullptr) drain();
  }

  PENSTOCK_HD PENSTOCK_INLINE int rank() const { return rank_; }
  static PENSTOCK_HD constexpr int size() { return Channel::template producer_size<I>; }

  // Waits for the next slot to be free. Nothing, when all consumers have asked for an end of this run.
  PENSTOCK_HD PENSTOCK_INLINE slot acquire() {
    detail::producer_state& s = state("acquire on a producer end after its drain");
    wait_free(s.next);
    return take(s);
  }
  // The same without waiting: not_yet() where a wait would have begun. One answer a warp; other warps may get another.
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD PENSTOCK_INLINE slot try_acquire() {
    detail::producer_state& s = state("try_acquire on a producer end after its drain");
    bool free = true;
    if (!alone || ops::elected()) free = ops::try_wait(channel_->empty(), s.next.at.slot, s.next.at.parity ^ 1u);
    if constexpr (who.whole_warps()) free = ops::warp_all(free);
    if (!free) return slot(channel_, s.next, rank_, detail::hold::not_yet);
    return take(s);
  }

  // Ends the run with what was committed so far. The next acquire begins another.
  PENSTOCK_HD PENSTOCK_INLINE void finish() {
    say(state("finish of a producer end after its drain"), detail::mark::end);
  }

  // Says that nothing more will come and waits until the consumers have released every slot. Then no copy is in flight,
  // and the slots' memory is free once the consumers, too, have drained. The destructor does it where nobody else has.
  PENSTOCK_HD PENSTOCK_INLINE void drain() {
    detail::producer_state& s = state("drain of a producer end after its drain");
    say(s, detail::mark::closed);
    detail::position p = s.next;
    for (int k = 0; k < depth; ++k) {
      wait_free(p);
      p.template advance<depth>();
    }
    if constexpr (who.whole_warps()) warp_barrier();
    s.taken = false;
    channel_ = nullptr;
  }

 private:
  friend Channel;
  PENSTOCK_HD PENSTOCK_INLINE producer_end(Channel* channel, int rank) : channel_(channel), rank_(rank) {}

  PENSTOCK_EXEC_CHECK_DISABLE
  static PENSTOCK_HD PENSTOCK_INLINE void warp_barrier() { ops::warp_barrier(); }

  PENSTOCK_HD PENSTOCK_INLINE detail::producer_state& state(const char* sentence) const {
    detail::require<ops>(channel_ != nullptr, sentence, 0, 0);
    return channel_->template producer_at<I>();
  }
  // Only who writes waits: a lane that waits for nothing could be left behind by a whole phase.
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD PENSTOCK_INLINE void wait_free(const detail::position& p) const {
    if (!alone || ops::elected())
      detail::await<ops>(channel_->empty(), p.at.slot, p.at.parity ^ 1u,
                         "a producer waits for a slot that no consumer releases", p.count);
  }
  PENSTOCK_HD PENSTOCK_INLINE slot take(detail::producer_state& s) {
    if (channel_->template stop_asked<who.one_warp(), decides_alone>(s))
      return slot(channel_, s.next, rank_, detail::hold::nothing);
    const detail::position here = s.next;
    s.next.template advance<depth>();
    return slot(channel_, here, rank_, detail::hold::slot);
  }
  PENSTOCK_HD PENSTOCK_INLINE void say(detail::producer_state& s, detail::mark m) {
    wait_free(s.next);
    channel_->template publish<I>(s.next, rank_, m);
    s.next.template advance<depth>();
    s.run_start = s.next.count;
  }

  Channel* channel_;
  int rank_;
};

}  // namespace penstock
