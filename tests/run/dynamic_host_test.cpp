// Dynamic lengths and many runs on the host.
#include "run/dynamic_cases.hpp"

#include <doctest/doctest.h>

namespace {

using namespace cases;

template <class P, bool Windowed, class... O>
void many(long long runs, bool asks) {
  std::vector<word> in(most_tiles * tile_words), out(in.size());
  for (int i = 0; i < most_tiles; ++i)
    for (int k = 0; k < tile_words; ++k) in[static_cast<std::size_t>(i * tile_words + k)] = coded_word(i, k);
  for (word seed : {1u, 99u}) {
    persistent<P, O...> pipeline;
    const long long wrong = run_many<P, Windowed>(pipeline, in.data(), out.data(), runs, seed, true, asks, 0, 1, [] {});
    INFO("seed " << seed);
    CHECK(wrong == 0);
  }
}

}  // namespace

TEST_CASE("one object runs many times, with lengths and stops of every kind") {
  many<restartable<1, 1>, false, sequential>(400, false);
  many<restartable<4, 2>, false, sequential>(400, false);
  many<restartable<4, 2>, false>(150, false);
  many<restartable_window<4>, true, sequential>(400, false);
  many<restartable_window<4>, true>(150, false);
}

TEST_CASE("a source decides how long each run is") {
  many<restartable<1, 1>, false, sequential, sourced>(400, true);
  many<restartable<4, 2>, false, sourced>(150, true);
  many<restartable<4, 2>, false, sourced>(50, false);
  many<restartable_window<4>, true, sequential, sourced>(400, true);
  many<restartable_window<4>, true, sourced>(150, true);
}

TEST_CASE("items need not be iterations") {
  using P = three<4, 2>::line;
  const long long n = 50;
  const auto in = coded(n * tile_words, 1);
  std::vector<word> out(in.size(), 0);
  long long k = 0;
  const auto result = run<P>([&]() -> long long { return k < n ? (k++ * 7) % n : no_more; },
                             on<"read">([&](long long item) { return from(in.data() + item * tile_words); }),
                             on<"compute">([&](auto, auto& x, auto& y, long long item) {
                               for (int w = 0; w < tile_words; ++w) y[w] = mix(x[tile_words - 1 - w]) + static_cast<word>(item);
                             }),
                             on<"write">([&](long long item) { return to(out.data() + item * tile_words); }));
  CHECK(result.iterations == n);
  CHECK_FALSE(result.stopped);
  long long wrong = 0;
  for (long long i = 0; i < n; ++i)
    for (int w = 0; w < tile_words; ++w)
      wrong += out[static_cast<std::size_t>(i * tile_words + w)] != three<4, 2>::expect(in.data(), nullptr, n, i, w);
  CHECK(wrong == 0);
}
