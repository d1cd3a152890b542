// Runs whose length nobody knows beforehand, and pipelines that run many times.
#pragma once

#include "run/cases.hpp"

namespace cases {

// The three stages with a body that may stop, declared so, for objects that outlive a run.
template <int Din, int Dout>
struct restartable
    : pipeline<buffer<"in", word[tile_words], depth<Din>>, buffer<"out", word[tile_words], depth<Dout>>,
               stage<"read", async, writes<"in">>,
               stage<"compute", penstock::sync, may_stop, reads<"in">, writes<"out">>,
               stage<"write", async, reads<"out">>> {};

// The same with a window that looks ahead, so that the end must be known before it is reached.
template <int Din>
struct restartable_window
    : pipeline<buffer<"in", word[tile_words], depth<Din>>, buffer<"out", word[tile_words], depth<2>>,
               stage<"read", async, writes<"in">>,
               stage<"compute", penstock::sync, may_stop, reads<"in", window<-1, 1>>, writes<"out">>,
               stage<"write", async, reads<"out">>> {};

inline constexpr int most_tiles = 24;

PENSTOCK_HD inline word coded_word(long long i, int k) { return mix(static_cast<word>(i * tile_words + k) + 17u); }

// Whatever neighbour is there counts; a pipeline without a window has none.
template <class View>
PENSTOCK_HD word gathered(const View& in, int k) {
  if constexpr (requires { in.has(0); }) {
    word sum = in[0][tile_words - 1 - k];
    if (in.has(-1)) sum += 3 * in[-1][k];
    if (in.has(1)) sum += 5 * in[1][k];
    return sum;
  } else {
    return in[tile_words - 1 - k];
  }
}
template <bool Windowed>
PENSTOCK_HD word gathered_expected(long long i, long long n, int k) {
  word sum = coded_word(i, tile_words - 1 - k);
  if (Windowed && i > 0) sum += 3 * coded_word(i - 1, k);
  if (Windowed && i + 1 < n) sum += 5 * coded_word(i + 1, k);
  return sum;
}

// Runs one object `runs` times with lengths and stops drawn from `seed`; returns how many words came out wrong, this
// thread's share of them. in holds most_tiles coded tiles, out as many; share is [rank, size) of the threads that check.
template <class P, bool Windowed, class Line, class Meet>
PENSTOCK_HD long long run_many(Line& line, const word* in, word* out, long long runs, word seed, bool dawdles, bool asks,
                               int rank, int size, Meet&& meet) {
  long long wrong = 0;
  word last_run[most_tiles]{};
  word draw = mix(seed);
  for (word r = 1; r <= static_cast<word>(runs); ++r) {
    draw = mix(draw + r);
    const long long n = draw % (most_tiles + 1);
    const long long stop_at = (draw >> 8) % 3 == 0 ? -1ll : static_cast<long long>((draw >> 12) % (most_tiles + 2));
    const word delays = dawdles ? draw | 1u : 0u;
    const auto read = on<"read">([&](long long i) { dawdle(delays, 0, i, 0); return from(in + i * tile_words); });
    const auto compute = on<"compute">([&](auto g, auto& x, auto& y, long long i) {
      dawdle(delays, 1, i, g.rank());
      for (int k = g.rank(); k < tile_words; k += g.size()) y[k] = gathered(x, k) ^ r;
      return i == stop_at && g.rank() == (static_cast<int>(r) % g.size()) ? penstock::stop : go;
    });
    const auto write = on<"write">([&](long long i) { dawdle(delays, 2, i, 0); return to(out + i * tile_words); });
    run_result result;
    if constexpr (requires { line.run([]() -> long long { return -1; }, read, compute, write); }) {
      long long next = 0;
      result = asks ? line.run([&]() -> long long { return next < n ? next++ : no_more; }, read, compute, write)
                    : line.run(n, read, compute, write);
    } else {
      result = line.run(n, read, compute, write);
    }
    const bool stops = stop_at >= 0 && stop_at < n;
    const long long done = stops ? stop_at + 1 : n;
    if (result.iterations != done || result.stopped != stops) ++wrong;
    for (long long i = 0; i < done; ++i) last_run[i] = r;
    if ((draw >> 20) % 3 == 0 && !Windowed) continue;  // now and then the next run begins before all have ended this one
    line.drain();
    for (long long i = 0; i < most_tiles; ++i) {
      if (last_run[i] == 0) continue;
      // the last run that reached this tile decides; a window depends on that run's length
      if (Windowed && last_run[i] != r) continue;
      for (int k = rank; k < tile_words; k += size)
        if (out[i * tile_words + k] != (gathered_expected<Windowed>(i, n, k) ^ last_run[i])) ++wrong;
    }
    meet();
  }
  return wrong;
}

}  // namespace cases
