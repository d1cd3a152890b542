// The pipelines that every backend must run alike, with what must come out. Data is coded by position; each block works
// on its own stretch of the arrays.
#pragma once

#include "support/coded_words.hpp"

#include <penstock/run/run.hpp>

#include <cstdint>
#include <thread>
#include <vector>

namespace cases {

using namespace penstock;
using namespace coded_words;

// Slows one stage down now and then, so that whoever runs ahead or falls behind gets the chance to.
PENSTOCK_HD inline void dawdle(word seed, int stage, long long i, int rank) {
  if (seed == 0) return;
  const word h = mix(seed + static_cast<word>(stage) * 977u + static_cast<word>(i) * 131071u + static_cast<word>(rank / 32) * 31u);
  if (h % 7 != 0) return;
#if defined(__CUDA_ARCH__)
  __nanosleep(h % 1500);
#else
  if (h % 3 == 0) std::this_thread::yield();
#endif
}

// What a block gets: `n` iterations over its own tiles.
struct job {
  const word* in = nullptr;
  const word* other = nullptr;
  word* out = nullptr;
  long long n = 0;
  long long stop_at = -1;
  word seed = 0;
  run_result* result = nullptr;
};

inline constexpr int tile_words = 96;  // words; not a power of two, a multiple of 16 bytes

// A copy of two async stages.
template <int D>
struct copy {
  static constexpr const char* name = "copy";
  using line = pipeline<buffer<"b", word[tile_words], depth<D>>, stage<"read", async, writes<"b">>,
                        stage<"write", async, reads<"b">>>;
  template <class... O>
  static PENSTOCK_HD void run(const job& j) {
    *j.result = penstock::run<line, O...>(
        j.n, on<"read">([&](long long i) { dawdle(j.seed, 0, i, 0); return from(j.in + i * tile_words); }),
        on<"write">([&](long long i) { dawdle(j.seed, 1, i, 0); return to(j.out + i * tile_words); }));
  }
  static word expect(const word* in, const word*, long long, long long i, int k) { return in[i * tile_words + k]; }
};

// Read, compute, write; depths of their own.
template <int Din, int Dout>
struct three {
  static constexpr const char* name = "three stages";
  using line = pipeline<buffer<"in", word[tile_words], depth<Din>>, buffer<"out", word[tile_words], depth<Dout>>,
                        stage<"read", async, writes<"in">>, stage<"compute", penstock::sync, reads<"in">, writes<"out">>,
                        stage<"write", async, reads<"out">>>;
  template <class... O>
  static PENSTOCK_HD void run(const job& j) {
    *j.result = penstock::run<line, O...>(
        j.n, on<"read">([&](long long i) { dawdle(j.seed, 0, i, 0); return from(j.in + i * tile_words); }),
        on<"compute">([&](auto g, auto& in, auto& out, long long i) {
          dawdle(j.seed, 1, i, g.rank());
          // backwards, so that every word passes between threads
          for (int k = g.rank(); k < tile_words; k += g.size()) out[k] = mix(in[tile_words - 1 - k]) + static_cast<word>(i);
        }),
        on<"write">([&](long long i) { dawdle(j.seed, 2, i, 0); return to(j.out + i * tile_words); }));
  }
  static word expect(const word* in, const word*, long long, long long i, int k) {
    return mix(in[i * tile_words + tile_words - 1 - k]) + static_cast<word>(i);
  }
};

// The same, ended by the body.
template <int Din, int Dout>
struct stopping : three<Din, Dout> {
  static constexpr const char* name = "early stop";
  using line = typename three<Din, Dout>::line;
  template <class... O>
  static PENSTOCK_HD void run(const job& j) {
    *j.result = penstock::run<line, O...>(
        j.n, on<"read">([&](long long i) { dawdle(j.seed, 0, i, 0); return from(j.in + i * tile_words); }),
        on<"compute">([&](auto g, auto& in, auto& out, long long i) {
          dawdle(j.seed, 1, i, g.rank());
          for (int k = g.rank(); k < tile_words; k += g.size()) out[k] = mix(in[tile_words - 1 - k]) + static_cast<word>(i);
          // one thread alone decides: the group must agree by itself
          return i == j.stop_at && g.rank() == g.size() - 1 ? penstock::stop : go;
        }),
        on<"write">([&](long long i) { dawdle(j.seed, 2, i, 0); return to(j.out + i * tile_words); }));
  }
};

// In place: two arrays in, one of them updated and written back.
template <int D>
struct in_place {
  static constexpr const char* name = "in place";
  using line = pipeline<buffer<"x", word[tile_words], depth<D>>, buffer<"y", word[tile_words], depth<D>>,
                        stage<"read x", async, writes<"x">>, stage<"read y", async, writes<"y">>,
                        stage<"axpy", penstock::sync, reads<"x">, updates<"y">>, stage<"write", async, reads<"y">>>;
  template <class... O>
  static PENSTOCK_HD void run(const job& j) {
    *j.result = penstock::run<line, O...>(
        j.n, on<"read x">([&](long long i) { dawdle(j.seed, 0, i, 0); return from(j.in + i * tile_words); }),
        on<"read y">([&](long long i) { dawdle(j.seed, 1, i, 0); return from(j.other + i * tile_words); }),
        on<"axpy">([&](auto g, auto& x, auto& y, long long i) {
          dawdle(j.seed, 2, i, g.rank());
          for (int k = g.rank(); k < tile_words; k += g.size()) y[k] += 3 * x[tile_words - 1 - k];
        }),
        on<"write">([&](long long i) { dawdle(j.seed, 3, i, 0); return to(j.out + i * tile_words); }));
  }
  static word expect(const word* in, const word* other, long long, long long i, int k) {
    return other[i * tile_words + k] + 3 * in[i * tile_words + tile_words - 1 - k];
  }
};

// A window of neighbours, clipped to the run.
template <int First, int Last, int D>
struct windowed {
  static constexpr const char* name = "window";
  using line = pipeline<buffer<"in", word[tile_words], depth<D>>, buffer<"out", word[tile_words], depth<2>>,
                        stage<"read", async, writes<"in">>,
                        stage<"compute", penstock::sync, reads<"in", window<First, Last>>, writes<"out">>,
                        stage<"write", async, reads<"out">>>;
  template <class... O>
  static PENSTOCK_HD void run(const job& j) {
    *j.result = penstock::run<line, O...>(
        j.n, on<"read">([&](long long i) { dawdle(j.seed, 0, i, 0); return from(j.in + i * tile_words); }),
        on<"compute">([&](auto g, auto& in, auto& out, long long i) {
          dawdle(j.seed, 1, i, g.rank());
          for (int k = g.rank(); k < tile_words; k += g.size()) {
            word sum = static_cast<word>(k);
            for (int w = First; w <= Last; ++w) if (in.has(w)) sum = sum * 31 + in[w][tile_words - 1 - k];
            out[k] = sum;
          }
        }),
        on<"write">([&](long long i) { dawdle(j.seed, 2, i, 0); return to(j.out + i * tile_words); }));
  }
  static word expect(const word* in, const word*, long long n, long long i, int k) {
    word sum = static_cast<word>(k);
    for (int w = First; w <= Last; ++w)
      if (i + w >= 0 && i + w < n) sum = sum * 31 + in[(i + w) * tile_words + tile_words - 1 - k];
    return sum;
  }
};

// Two bodies in a chain, the second of them reading across threads what the first wrote.
template <int Dm>
struct chain {
  static constexpr const char* name = "chain";
  using line = pipeline<buffer<"a", word[tile_words], depth<3>>, buffer<"m", word[tile_words], depth<Dm>>,
                        buffer<"o", word[tile_words], depth<1>>, stage<"read", async, writes<"a">>,
                        stage<"f", penstock::sync, reads<"a">, writes<"m">>,
                        stage<"g", penstock::sync, reads<"m">, writes<"o">>, stage<"write", async, reads<"o">>>;
  template <class... O>
  static PENSTOCK_HD void run(const job& j) {
    *j.result = penstock::run<line, O...>(
        j.n, on<"read">([&](long long i) { dawdle(j.seed, 0, i, 0); return from(j.in + i * tile_words); }),
        on<"f">([&](auto g, auto& a, auto& m, long long i) {
          dawdle(j.seed, 1, i, g.rank());
          for (int k = g.rank(); k < tile_words; k += g.size()) m[k] = mix(a[k] + static_cast<word>(i));
        }),
        on<"g">([&](auto g, auto& m, auto& o, long long i) {
          dawdle(j.seed, 2, i, g.rank());
          for (int k = g.rank(); k < tile_words; k += g.size()) o[k] = m[tile_words - 1 - k] + m[(k + 37) % tile_words];
        }),
        on<"write">([&](long long i) { dawdle(j.seed, 3, i, 0); return to(j.out + i * tile_words); }));
  }
  static word expect(const word* in, const word*, long long, long long i, int k) {
    const word* t = in + i * tile_words;
    return mix(t[tile_words - 1 - k] + static_cast<word>(i)) + mix(t[(k + 37) % tile_words] + static_cast<word>(i));
  }
};

// Two consumers of one buffer, each in an agent of its own.
struct two_consumers {
  static constexpr const char* name = "two consumers";
  using line = pipeline<buffer<"in", word[tile_words], depth<4>>, buffer<"p", word[tile_words], depth<2>>,
                        buffer<"q", word[tile_words], depth<3>>, stage<"read", async, writes<"in">>,
                        stage<"left", penstock::sync, agent<"one", 2>, reads<"in">, writes<"p">>,
                        stage<"right", penstock::sync, agent<"two", 1>, reads<"in">, writes<"q">>,
                        stage<"both", penstock::sync, agent<"one", 2>, reads<"q">, updates<"p">>,
                        stage<"write", async, reads<"p">>>;
  template <class... O>
  static PENSTOCK_HD void run(const job& j) {
    *j.result = penstock::run<line, O...>(
        j.n, on<"read">([&](long long i) { dawdle(j.seed, 0, i, 0); return from(j.in + i * tile_words); }),
        on<"left">([&](auto g, auto& in, auto& p, long long i) {
          dawdle(j.seed, 1, i, g.rank());
          for (int k = g.rank(); k < tile_words; k += g.size()) p[k] = in[tile_words - 1 - k] * 5;
        }),
        on<"right">([&](auto g, auto& in, auto& q, long long i) {
          dawdle(j.seed, 2, i, g.rank());
          for (int k = g.rank(); k < tile_words; k += g.size()) q[k] = mix(in[k]);
        }),
        on<"both">([&](auto g, auto& q, auto& p, long long i) {
          dawdle(j.seed, 3, i, g.rank());
          for (int k = g.rank(); k < tile_words; k += g.size()) p[k] += q[tile_words - 1 - k];
        }),
        on<"write">([&](long long i) { dawdle(j.seed, 4, i, 0); return to(j.out + i * tile_words); }));
  }
  static word expect(const word* in, const word*, long long, long long i, int k) {
    return in[i * tile_words + tile_words - 1 - k] * 5 + mix(in[i * tile_words + tile_words - 1 - k]);
  }
};

// Ragged ranges: any byte offset, any size; what a tile does not cover is not written.
struct ragged {
  static constexpr const char* name = "ragged";
  using line = pipeline<buffer<"b", unsigned char[256], depth<3>>, stage<"read", async, writes<"b">>,
                        stage<"write", async, reads<"b">>>;
  static PENSTOCK_HD long long size(long long i) { return (i * 37) % 257; }  // 0 and 256 among them
  template <class... O>
  static PENSTOCK_HD run_result run(const unsigned char* in, unsigned char* out, long long n) {
    return penstock::run<line, O...>(n, on<"read">([&](long long i) { return from(in + i * 256, size(i)); }),
                                     on<"write">([&](long long i) { return to(out + i * 256, size(i)); }));
  }
};

}  // namespace cases
