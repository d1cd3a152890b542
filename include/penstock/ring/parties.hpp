// Who produces and who consumes the slots of a channel, by which means. Arrival counts, fences and waits follow from it.
#pragma once

#include <penstock/plan/list.hpp>

namespace penstock {

namespace detail {

// How a party touches a slot.
enum class means : unsigned char {
  plain,     // loads and stores of its threads
  copies,    // cp.async of its threads
  engine,    // bulk and tensor copies that one lane starts
  products,  // matrix products of its warpgroups, which read shared memory asynchronously
};

inline constexpr int lag_chosen = -1;

struct party {
  int threads = 0;
  means by = means::plain;
  int lag = 0;  // slots that are still read when a later one is released

  // Do all its warps consist of its threads alone? Then one lane can speak for 32.
  PENSTOCK_HD constexpr bool whole_warps() const { return threads % 32 == 0; }
  PENSTOCK_HD constexpr bool one_warp() const { return threads == 32; }
  PENSTOCK_HD constexpr bool reads_late() const { return by == means::engine || by == means::products; }
  // Slots kept back in a ring of this depth, one of whose slots must stay free for the producers.
  PENSTOCK_HD constexpr int kept(int depth) const {
    return !reads_late() ? 0 : lag != lag_chosen ? lag : depth > 1 ? 1 : 0;
  }
};

template <class P>
concept is_party = requires { P::facts.threads; };
template <class P>
concept is_group = is_party<P> && P::facts.by == means::plain;

}  // namespace detail

// Threads of one block that write or read the slots themselves. On the host any of these is one thread.
template <int N>
struct threads {
  static_assert(N >= 1 && N <= 1024, "a group has 1 to 1024 threads");
  static constexpr detail::party facts{N, detail::means::plain, 0};
};
template <int N>
struct warps : threads<32 * N> {};
template <int N>
struct warpgroups : threads<128 * N> {};

// One warp whose elected lane starts the copies: as a producer from global memory, as a consumer back to it. Below sm_90
// all its lanes copy.
struct by_bulk {
  static constexpr detail::party facts{32, detail::means::engine, detail::lag_chosen};
};

// Producers that fill their shares of a slot by cp.async.
template <class Group>
struct by_copies {
  static_assert(detail::is_group<Group>, "by_copies takes threads<N>, warps<N> or warpgroups<N>");
  static_assert(Group::facts.whole_warps(), "by_copies takes whole warps");
  static constexpr detail::party facts{Group::facts.threads, detail::means::copies, 0};
};

// Consumers whose matrix products (wgmma) read the slots after the instruction has returned.
template <class Group>
struct by_products {
  static_assert(detail::is_group<Group> && Group::facts.threads % 128 == 0, "by_products takes warpgroups<N>");
  static constexpr detail::party facts{Group::facts.threads, detail::means::products, detail::lag_chosen};
};

// A consumer by_bulk or by_products that releases a slot when N later ones are being read. Without it: 1, or 0 in a
// ring of one slot.
template <int N, class Party>
struct release_after {
  static_assert(N >= 0, "release_after<N> counts slots, 0 or more");
  static_assert(detail::is_party<Party> && Party::facts.reads_late(),
                "release_after is for by_bulk and by_products; other readers are done when they release");
  static constexpr detail::party facts{Party::facts.threads, Party::facts.by, N};
};

// All producers fill every slot together, each its part; the first of them says where a run ends.
template <class... Party>
struct producers {
  static_assert(sizeof...(Party) >= 1, "a channel has at least one producer");
  static_assert((detail::is_party<Party> && ...),
                "a producer is by_bulk, by_copies<group>, threads<N>, warps<N> or warpgroups<N>");
  static_assert(((Party::facts.by != detail::means::products) && ...), "matrix products do not write shared memory");
  static constexpr int count = sizeof...(Party);
  static constexpr list<detail::party, count> parties{{Party::facts...}, count};
};

// Every consumer gets every slot; a slot is free when all have released it.
template <class... Party>
struct consumers {
  static_assert(sizeof...(Party) >= 1, "a channel has at least one consumer");
  static_assert((detail::is_party<Party> && ...),
                "a consumer is by_bulk, by_products<group>, threads<N>, warps<N>, warpgroups<N> or "
                "release_after<N, ...>");
  static_assert(((Party::facts.by != detail::means::copies) && ...), "cp.async does not read shared memory");
  static constexpr int count = sizeof...(Party);
  static constexpr list<detail::party, count> parties{{Party::facts...}, count};
};

// Whether a thread's reads of a slot are fenced before the copy engine overwrites it. PTX asks for it; the fence costs
// some 2 % where a slot takes 300 ns. unfenced is for who has measured and knows better.
enum class reuse : unsigned char { fenced, unfenced };

namespace detail {

#if defined(PENSTOCK_FOR_RACECHECK)
inline constexpr bool each_lane_arrives = true;  // what race detectors can follow
#else
inline constexpr bool each_lane_arrives = false;
#endif

// Does one lane of its warp read or write for all of them?
template <class Ops>
PENSTOCK_HD constexpr bool acts_alone(party p) { return p.by == means::engine && Ops::has_engine; }

template <class Ops>
PENSTOCK_HD constexpr int arrivals(party p) {
  if (Ops::warp_size == 1) return 1;
  if (!p.whole_warps() || (each_lane_arrives && !acts_alone<Ops>(p))) return p.threads;
  return p.threads / 32;
}

template <class Ops, class Parties>
PENSTOCK_HD constexpr int arrivals() {
  int sum = 0;
  for (const party& p : Parties::parties) sum += arrivals<Ops>(p);
  return sum;
}

template <class Parties>
PENSTOCK_HD constexpr bool any_by(means m) {
  for (const party& p : Parties::parties) if (p.by == m) return true;
  return false;
}

// Is what its instructions read or write seen by the async proxy only?
PENSTOCK_HD constexpr bool through_async_proxy(means m) { return m == means::engine || m == means::products; }

template <class Parties>
PENSTOCK_HD constexpr bool any_async() { return any_by<Parties>(means::engine) || any_by<Parties>(means::products); }

}  // namespace detail

}  // namespace penstock
