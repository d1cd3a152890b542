// The consumer's side of a channel: an end that acquires filled slots, and the slot it gets, which is released once.
#pragma once

#include <penstock/arch/moves.hpp>
#include <penstock/ring/checked.hpp>
#include <penstock/ring/slots.hpp>

namespace penstock {

template <class Channel, int I>
class consumer_end;

// A filled slot in a consumer's hands. Whoever has not released it by then does so in the destructor.
template <class Channel, int I>
class consumer_slot {
  using ops = typename Channel::ops;
  static constexpr detail::party who = Channel::template consumer_party<I>;

 public:
  PENSTOCK_HD PENSTOCK_INLINE consumer_slot(consumer_slot&& other) noexcept
      : channel_(other.channel_), place_(other.place_), rank_(other.rank_), hold_(other.hold_), mark_(other.mark_) {
    other.hold_ = detail::hold::nothing;
  }
  consumer_slot(const consumer_slot&) = delete;
  consumer_slot& operator=(const consumer_slot&) = delete;
  PENSTOCK_HD PENSTOCK_INLINE ~consumer_slot() {
    if (hold_ == detail::hold::slot) give_back();
  }

  // False at the end of a run, or, from try_acquire, when the slot is not filled yet.
  PENSTOCK_HD PENSTOCK_INLINE explicit operator bool() const { return hold_ == detail::hold::slot; }
  PENSTOCK_HD PENSTOCK_INLINE bool not_yet() const { return hold_ == detail::hold::not_yet; }
  // The producers passed this slot over: it holds nothing.
  PENSTOCK_HD PENSTOCK_INLINE bool skipped() const { return mark_ == detail::mark::skipped; }
  // The run ends with this slot.
  PENSTOCK_HD PENSTOCK_INLINE bool last() const { return mark_ == detail::mark::last; }

  PENSTOCK_HD PENSTOCK_INLINE const typename Channel::value_type& operator*() const {
    require_held("a slot is used after its release");
    return *channel_->slot(place_.at.slot);
  }
  PENSTOCK_HD PENSTOCK_INLINE const typename Channel::value_type* operator->() const { return &**this; }
  PENSTOCK_HD PENSTOCK_INLINE int index() const { return static_cast<int>(place_.at.slot); }

  // Moves one part of the slot out: to(pointer), to(pointer, count), to_aligned(pointer), to(tiled, coordinates…). By all
  // threads of the consumer; the release may follow at once, the slot is kept until it has been read.
  PENSTOCK_EXEC_CHECK_DISABLE
  template <class Part, class Said>
  PENSTOCK_HD PENSTOCK_INLINE void copy_out(const Part& part, Said said) const {
    static_assert(is_outgoing<Said>, "a consumer copies its slot to(...) somewhere");
    static_assert(who.by != detail::means::products, "a consumer by_products only multiplies");
    require_held("a copy out of a slot after its release");
    using Move = decltype(said.move);
    Move target = said.move;
    if constexpr (requires { target.bytes; }) {
      if (target.bytes == range::whole_slot) target.bytes = static_cast<long long>(sizeof(Part));
    } else {
      static_assert(Move::box_bytes <= sizeof(Part), "a box is larger than the part of the slot it comes from");
    }
    detail::require_fit<ops>(target, part, place_.at.slot, place_.count);
    if constexpr (requires { target.box; })
      detail::require<ops>(target.box.mapped_for_writing(),
                           "a row of a swizzled box, or of its array, starts or ends at no multiple of 16 bytes",
                           place_.at.slot, place_.count);
    if constexpr (detail::acts_alone<ops>(who)) ops::engine_out(target, &part, rank_, who.threads);
    else ops::plain_out(target, &part, rank_, Channel::template consumer_size<I>);
  }
  template <class Said>
  PENSTOCK_HD PENSTOCK_INLINE void copy_out(Said said) const { copy_out(**this, said); }

  // Gives the slot back to the producers, once it has been read.
  PENSTOCK_HD PENSTOCK_INLINE void release() {
    require_held("a slot is released twice, or was never acquired");
    give_back();
  }

 private:
  friend class consumer_end<Channel, I>;
  PENSTOCK_HD PENSTOCK_INLINE consumer_slot(Channel* channel, const detail::position& place, int rank, detail::hold h,
                                            detail::mark m)
      : channel_(channel), place_(place), rank_(rank), hold_(h), mark_(m) {}

  PENSTOCK_HD PENSTOCK_INLINE void require_held(const char* sentence) const {
    detail::require<ops>(hold_ == detail::hold::slot, sentence, place_.at.slot, place_.count);
  }
  PENSTOCK_HD PENSTOCK_INLINE void give_back() {
    hold_ = detail::hold::nothing;
    channel_->template release<I>(place_);
  }

  Channel* channel_;
  detail::position place_;
  int rank_;
  detail::hold hold_;
  detail::mark mark_;
};

// One consumer of a channel, held by each of its threads. Its calls are made by all of them, warps converged.
template <class Channel, int I>
class consumer_end {
  using ops = typename Channel::ops;
  using slot = consumer_slot<Channel, I>;
  static constexpr int depth = Channel::depth;
  static constexpr detail::party who = Channel::template consumer_party<I>;

 public:
  PENSTOCK_HD PENSTOCK_INLINE consumer_end(consumer_end&& other) noexcept : channel_(other.channel_), rank_(other.rank_) {
    other.channel_ = nullptr;
  }
  consumer_end(const consumer_end&) = delete;
  consumer_end& operator=(const consumer_end&) = delete;
  PENSTOCK_HD PENSTOCK_INLINE ~consumer_end() {
    if (channel_ != nullptr) drain();
  }

  PENSTOCK_HD PENSTOCK_INLINE int rank() const { return rank_; }
  static PENSTOCK_HD constexpr int size() { return Channel::template consumer_size<I>; }

  // Waits for the next slot to be filled. Nothing at the end of a run, when also every copy out and every product of the
  // run has been read; the acquire after that is for the next run, or nothing again where the producers have gone.
  PENSTOCK_HD PENSTOCK_INLINE slot acquire() { return take<true>(state("acquire on a consumer end after its drain")); }
  // The same without waiting: not_yet() where a wait would have begun. One answer a warp; other warps may get another.
  PENSTOCK_HD PENSTOCK_INLINE slot try_acquire() {
    return take<false>(state("try_acquire on a consumer end after its drain"));
  }

  // This consumer wants no more of the present run: acquire passes over what still comes of it. When all consumers have
  // said so, the producers get nothing either. By all threads of the consumer, after the same slot.
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD PENSTOCK_INLINE void stop() {
    detail::consumer_state& s = state("stop of a consumer end after its drain");
    if (s.stopping || s.at_last || s.closed) return;
    s.stopping = true;
    if (rank_ == 0) ops::store(channel_->stop_word(I), s.next.count);
  }

  // Passes over everything that still comes and waits until this consumer's reads and copies out are complete. The
  // destructor does it where nobody else has.
  PENSTOCK_HD PENSTOCK_INLINE void drain() {
    detail::consumer_state& s = state("drain of a consumer end after its drain");
    while (!s.closed) {
      stop();
      acquire();
    }
    channel_->template complete_copies_out<I>();
    s.closed = false;
    s.taken = false;
    channel_ = nullptr;
  }

 private:
  friend Channel;
  PENSTOCK_HD PENSTOCK_INLINE consumer_end(Channel* channel, int rank) : channel_(channel), rank_(rank) {}

  PENSTOCK_HD PENSTOCK_INLINE detail::consumer_state& state(const char* sentence) const {
    detail::require<ops>(channel_ != nullptr, sentence, 0, 0);
    return channel_->template consumer_at<I>();
  }
  PENSTOCK_HD PENSTOCK_INLINE slot nothing(const detail::consumer_state& s) const {
    return slot(channel_, s.next, rank_, detail::hold::nothing, detail::mark::end);
  }
  PENSTOCK_HD PENSTOCK_INLINE slot not_yet(const detail::consumer_state& s) const {
    return slot(channel_, s.next, rank_, detail::hold::not_yet, detail::mark::data);
  }
  PENSTOCK_EXEC_CHECK_DISABLE
  template <bool Waits>
  PENSTOCK_HD PENSTOCK_INLINE bool filled(const detail::position& p) const {
    if constexpr (Waits) {
      detail::await<ops>(channel_->full(), p.at.slot, p.at.parity, "a consumer waits for a slot that no producer fills",
                         p.count);
      return true;
    } else {
      const bool here = ops::try_wait(channel_->full(), p.at.slot, p.at.parity);
      if constexpr (who.whole_warps()) return ops::warp_all(here);
      else return here;
    }
  }
  template <bool Waits>
  PENSTOCK_HD PENSTOCK_INLINE slot take(detail::consumer_state& s) {
    if (s.stopping) return pass<Waits>(s);
    const detail::position here = s.next;
    const bool over = s.at_last || s.closed;
    detail::mark m = detail::mark::end;
    if (!over) {
      if (!filled<Waits>(here)) return not_yet(s);
      m = channel_->template mark_of<I>(here);
    }
    if (m >= detail::mark::end) {  // one way out: the compiler must see that products end before their sums are read
      channel_->template let_go<I>();
      s.at_last = false;
      if (!over) end_of_run(s, m);
      return nothing(s);
    }
    s.next.template advance<depth>();
    s.at_last = m == detail::mark::last;
    return slot(channel_, here, rank_, detail::hold::slot, m);
  }
  // Releases what comes, unread, up to the end of the run.
  template <bool Waits>
  PENSTOCK_HD PENSTOCK_INLINE slot pass(detail::consumer_state& s) {
    channel_->template let_go<I>();
    for (;;) {
      if (!filled<Waits>(s.next)) return not_yet(s);
      const detail::mark m = channel_->template mark_of<I>(s.next);
      if (m >= detail::mark::last) {
        end_of_run(s, m);
        return nothing(s);
      }
      channel_->template arrive_empty<I>(s.next.at.slot);
      s.next.template advance<depth>();
    }
  }
  PENSTOCK_HD PENSTOCK_INLINE void end_of_run(detail::consumer_state& s, detail::mark m) {
    channel_->template arrive_empty<I>(s.next.at.slot);
    s.next.template advance<depth>();
    s.stopping = false;
    s.closed = m == detail::mark::closed;
  }

  Channel* channel_;
  int rank_;
};

}  // namespace penstock
