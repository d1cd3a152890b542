// What the parties of a channel do in the tests, the same on every backend: runs of given lengths, with stops, skipped
// slots, ends of both kinds, early departures and delays. Data is coded by position.
#pragma once

#include "support/coded_words.hpp"

#include <penstock/ring/channel.hpp>

#include <cstdint>
#include <thread>
#include <vector>

namespace rings {

using namespace penstock;
using namespace coded_words;

inline constexpr int first_part = 64, second_part = 32, tile_words = first_part + second_part;
struct tile_slot {
  word first[first_part];
  word second[second_part];
};

struct script {
  const word* in = nullptr;
  word* out = nullptr;             // of consumer 0; that of consumer c begins c * tiles tiles further
  long long* delivered = nullptr;  // for each consumer and run: slots that it got, 2^32 added if a skip came out wrong
  long long n = 0;                 // slots of run 0; the others differ a little
  int runs = 1;
  int sessions = 1;                // how often all ends are drained and taken again
  long long stop_at = -1;          // consumer c stops after slot stop_at + c of every run
  int leave_in = -1;               // run in which consumers drop their ends at that slot instead
  int skip_every = 0;
  bool ends_with_data = false;     // by commit_last where there is data
  bool polls = false;
  word seed = 0;                   // of the delays; 0: none

  PENSTOCK_HD long long count(int run) const { return n + run % 3 > 0 && run > 0 ? n + run % 3 - 1 : n; }
  PENSTOCK_HD long long longest() const { return n + 1; }
  PENSTOCK_HD long long first_tile(int session, int run) const { return (session * runs + run) * longest(); }
  PENSTOCK_HD long long tiles() const { return sessions * runs * longest(); }
  PENSTOCK_HD bool skips(long long i) const { return skip_every > 0 && i % skip_every == skip_every - 1; }

  PENSTOCK_HD void dawdle(int party, long long i, int rank) const {
    if (seed == 0) return;
    const word h = mix(seed + static_cast<word>(party) * 977u + static_cast<word>(i) * 131071u +
                       static_cast<word>(rank / 32) * 31u);
    if (h % 7 != 0) return;
#if defined(__CUDA_ARCH__)
    __nanosleep(h % 1500);
#else
    if (h % 3 == 0) std::this_thread::yield();
#endif
  }
};

// How producer I fills its part of a tile.
template <class Ring, int I, class Slot>
PENSTOCK_HD void fill(Slot& slot, const word* from_words, int rank) {
  constexpr auto means = Ring::template producer_party<I>.by;
  constexpr int size = Ring::template producer_size<I>;
  constexpr bool all = Ring::producer_count == 1;
  if constexpr (means != detail::means::plain) {
    slot.copy(slot->first, penstock::from(from_words, first_part));
    if constexpr (all) slot.copy(slot->second, penstock::from(from_words + first_part));
  } else {
    if constexpr (all)
      for (int k = rank; k < first_part; k += size) slot->first[k] = from_words[k];
    for (int k = rank; k < second_part; k += size) slot->second[k] = from_words[first_part + k];
  }
}

template <int I, class Ring>
PENSTOCK_HD void produce(Ring& ring, const script& s, int rank) {
  for (int session = 0; session < s.sessions; ++session) {
    auto end = ring.template producer<I>(rank);
    for (int run = 0; run < s.runs; ++run) {
      const long long count = s.count(run), first = s.first_tile(session, run);
      bool finished = false;
      for (long long i = 0; i < count; ++i) {
        s.dawdle(I, first + i, rank);
        auto slot = end.acquire();
        if (!slot) break;
        const bool last = s.ends_with_data && i + 1 == count;
        if (s.skips(i) && !last) {
          slot.skip();
          continue;
        }
        fill<Ring, I>(slot, s.in + (first + i) * tile_words, rank);
        if (last) slot.commit_last();
        else if (i % 2 == 0) slot.commit();  // and half of them by their destructor
        finished = last;
      }
      if (!finished) end.finish();
    }
  }
}

template <int I, class Ring, class Slot>
PENSTOCK_HD void take_away(const Slot& slot, word* to_words, int rank) {
  constexpr int size = Ring::template consumer_size<I>;
  if constexpr (Ring::template consumer_party<I>.by == detail::means::engine) {
    slot.copy_out(penstock::to(to_words));
  } else {
    for (int k = rank; k < first_part; k += size) to_words[k] = slot->first[k];
    for (int k = rank; k < second_part; k += size) to_words[first_part + k] = slot->second[k];
  }
}

template <int I, class Ring>
PENSTOCK_HD void consume(Ring& ring, const script& s, int rank) {
  word* const out = s.out + I * s.tiles() * tile_words;
  long long* const delivered = s.delivered + I * s.sessions * s.runs;
  for (int session = 0; session < s.sessions; ++session) {
    auto end = ring.template consumer<I>(rank);
    for (int run = 0; run < s.runs; ++run) {
      const long long first = s.first_tile(session, run);
      const long long stop = s.stop_at < 0 ? -1 : s.stop_at + I;
      long long got = 0;
      bool leaves = false;
      for (;;) {
        s.dawdle(8 + I, first + got, rank);
        auto slot = s.polls ? end.try_acquire() : end.acquire();
        if (slot.not_yet()) {
#if !defined(__CUDA_ARCH__)
          std::this_thread::yield();
#endif
          continue;
        }
        if (!slot) break;
        if (slot.skipped() != (s.skips(got) && !slot.last())) got += 1ll << 32;
        if (!slot.skipped()) take_away<I, Ring>(slot, out + (first + got) * tile_words, rank);
        ++got;
        if (got % 2 == 0) slot.release();  // and half of them by their destructor
        if (got - 1 == stop) {
          leaves = run == s.leave_in;
          if (leaves) break;
          end.stop();
        }
      }
      if (rank == 0) delivered[session * s.runs + run] = got;
      if (leaves) break;
    }
  }
}

// What must come out, from what went in; returns the number of wrong words and counts.
inline long long wrong(const script& s, int consumers, const std::vector<word>& in, const std::vector<word>& out,
                       const std::vector<word>& untouched, const std::vector<long long>& delivered) {
  long long errors = 0;
  for (int c = 0; c < consumers; ++c)
    for (int session = 0; session < s.sessions; ++session) {
      bool left = false;
      for (int run = 0; run < s.runs; ++run) {
        const long long count = s.count(run), stop = s.stop_at < 0 ? -1 : s.stop_at + c;
        const bool stops = stop >= 0 && stop < count;
        const long long got = left ? 0 : stops ? stop + 1 : count;
        if (!left) errors += delivered[static_cast<std::size_t>((c * s.sessions + session) * s.runs + run)] != got;
        for (long long i = 0; i < s.longest(); ++i) {
          const bool here = i < got && !(s.skips(i) && !(s.ends_with_data && i + 1 == count));
          for (int k = 0; k < tile_words; ++k) {
            const auto at = static_cast<std::size_t>((s.first_tile(session, run) + i) * tile_words + k);
            const auto mine = at + static_cast<std::size_t>(c * s.tiles() * tile_words);
            errors += out[mine] != (here ? in[at] : untouched[mine]);
          }
        }
        left = left || (stops && run == s.leave_in);
      }
    }
  return errors;
}

// The shapes under test.
template <int D>
struct bulk_to_threads {
  static constexpr const char* name = "one warp's bulk copies, read by four warps";
  using ring = channel<tile_slot, D, producers<by_bulk>, consumers<warps<4>>>;
};
template <int D>
struct bulk_to_bulk {
  static constexpr const char* name = "bulk copies in and out";
  using ring = channel<tile_slot, D, producers<by_bulk>, consumers<by_bulk>>;
};
template <int D>
struct stores_to_threads {
  static constexpr const char* name = "stores of two warps, read by three";
  using ring = channel<tile_slot, D, producers<warps<2>>, consumers<warps<3>>>;
};
template <int D>
struct stores_to_bulk {
  static constexpr const char* name = "stores of two warps, copied out";
  using ring = channel<tile_slot, D, producers<warps<2>>, consumers<release_after<D - 1, by_bulk>>>;
};
template <int D>
struct copies_to_threads {
  static constexpr const char* name = "cp.async of two warps, read by one";
  using ring = channel<tile_slot, D, producers<by_copies<warps<2>>>, consumers<warps<1>>>;
};
template <int D>
struct copies_to_bulk {
  static constexpr const char* name = "cp.async of one warp, copied out";
  using ring = channel<tile_slot, D, producers<by_copies<warps<1>>>, consumers<by_bulk>>;
};
template <int D>
struct odd_parties {
  static constexpr const char* name = "one thread's stores, read by 40 threads";
  using ring = channel<tile_slot, D, producers<threads<1>>, consumers<threads<40>>>;
};
template <int D>
struct several {
  static constexpr const char* name = "two producers and two consumers";
  using ring = channel<tile_slot, D, producers<by_bulk, warps<1>>, consumers<warps<2>, by_bulk>>;
};
template <int D>
struct many_producers {
  static constexpr const char* name = "three producers";
  using ring = channel<tile_slot, D, producers<by_copies<warps<2>>, warps<1>>, consumers<warps<1>, warps<1>>>;
};

// Every way a run can go, around every boundary of a ring of D slots. `play(script)` runs and checks one.
template <int D, class Play>
void every_script(Play&& play) {
  for (const bool last : {false, true}) {
    for (long long n : {0, 1, D - 1, D, D + 1, 2 * D + 1}) {
      script s;
      s.n = n;
      s.ends_with_data = last;
      play(s);
      s.runs = 4;
      s.sessions = 2;
      s.polls = true;
      play(s);
      s.polls = false;
      s.skip_every = 3;
      s.seed = 11;
      play(s);
    }
    for (long long stop = 0; stop <= 2 * D + 2; ++stop) {
      script s;
      s.n = 2 * D + 2;
      s.ends_with_data = last;
      s.stop_at = stop;
      s.runs = 3;
      play(s);
      s.leave_in = 1;
      s.sessions = 2;
      s.seed = static_cast<word>(stop + 1);
      play(s);
      s.n = 6 * D + 20;  // far from its end
      play(s);
    }
  }
  script s;
  s.n = 1500 * D;  // every slot wraps more than a thousand times
  play(s);
  s.n = 100 * D;
  s.runs = 5;
  s.skip_every = 5;
  for (word seed : {1u, 20u, 300u}) {
    s.seed = seed;
    s.stop_at = seed == 300u ? 77 : -1;
    play(s);
  }
}

}  // namespace rings
