// Dynamic lengths, one object run many times, and a counter shared by all blocks, in thread blocks.
#include "run/dynamic_cases.hpp"
#include "support/device_array.hpp"

#include <penstock/run/launch.hpp>

#include <cstdio>
#include <cstdlib>

namespace {

using namespace cases;

template <class P, bool Windowed, class... O>
__global__ void many_kernel(const word* in, word* out, long long runs, word seed, bool dawdles, bool asks,
                            unsigned long long* wrong) {
  persistent<P, O...> pipeline;
  const long long mine = run_many<P, Windowed>(
      pipeline, in, out + static_cast<long long>(blockIdx.x) * most_tiles * tile_words, runs, seed + blockIdx.x, dawdles,
      asks, static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x), [] { __syncthreads(); });
  if (mine != 0) atomicAdd(wrong, static_cast<unsigned long long>(mine));
}

template <class P, bool Windowed, class... O>
void many(int blocks, long long runs, bool dawdles, bool asks) {
  if (std::getenv("PENSTOCK_SHORT_TESTS") != nullptr) { blocks = 3; runs = 6; }
  std::vector<word> in(most_tiles * tile_words);
  for (int i = 0; i < most_tiles; ++i)
    for (int k = 0; k < tile_words; ++k) in[static_cast<std::size_t>(i * tile_words + k)] = coded_word(i, k);
  const device_array<word> d_in(in), d_out(static_cast<std::size_t>(blocks) * in.size());
  const device_array<unsigned long long> d_wrong{std::vector<unsigned long long>(1)};
  launch<P, O...>(nullptr, static_cast<unsigned>(blocks), many_kernel<P, Windowed, O...>, d_in.data(), d_out.data(), runs,
                  20261130u, dawdles, asks, d_wrong.data());
  require(cudaDeviceSynchronize());
  INFO(blocks << " blocks of " << runs << " runs");
  CHECK(d_wrong.read()[0] == 0);
}

// All blocks draw tiles from one counter.
template <class... O>
__global__ void shared_counter(const word* in, word* out, long long tiles, unsigned long long* counter,
                               unsigned long long* done) {
  using P = three<4, 2>::line;
  const auto result = run<P, O...>(
      [&]() -> long long {
        const long long t = static_cast<long long>(atomicAdd(counter, 1ull));
        return t < tiles ? t : no_more;
      },
      on<"read">([&](long long t) { return from(in + t * tile_words); }),
      on<"compute">([&](auto g, auto& x, auto& y, long long t) {
        for (int k = g.rank(); k < tile_words; k += g.size()) y[k] = mix(x[tile_words - 1 - k]) + static_cast<word>(t);
      }),
      on<"write">([&](long long t) { return to(out + t * tile_words); }));
  if (threadIdx.x == 0) atomicAdd(done, static_cast<unsigned long long>(result.iterations));
}

template <class... O>
void draw_from_counter(int blocks, long long tiles) {
  const auto in = coded(tiles * tile_words + 1, 1);
  const device_array<word> d_in(in), d_out(in.size());
  const device_array<unsigned long long> counter{std::vector<unsigned long long>(2)};
  launch<three<4, 2>::line, sourced, O...>(nullptr, static_cast<unsigned>(blocks), shared_counter<O...>, d_in.data(),
                                           d_out.data(), tiles, counter.data(), counter.data() + 1);
  require(cudaDeviceSynchronize());
  CHECK(static_cast<long long>(counter.read()[1]) == tiles);
  const auto out = d_out.read();
  long long wrong = 0;
  for (long long i = 0; i < tiles; ++i)
    for (int k = 0; k < tile_words; ++k)
      wrong += out[static_cast<std::size_t>(i * tile_words + k)] != three<4, 2>::expect(in.data(), nullptr, tiles, i, k);
  CHECK(wrong == 0);
}

// Counts how often a source is asked again after it has said that there is nothing left.
template <class... O>
__global__ void ask_beyond(const word* in, word* out, long long n, unsigned* beyond) {
  long long asked = 0;
  run<three<4, 2>::line, O...>(
      [&]() -> long long {
        const long long k = asked++;
        if (k > n) atomicAdd(beyond, 1u);
        return k < n ? k : no_more;
      },
      on<"read">([&](long long t) { return from(in + t * tile_words); }),
      on<"compute">([&](auto g, auto& x, auto& y, long long) {
        for (int k = g.rank(); k < tile_words; k += g.size()) y[k] = x[k];
      }),
      on<"write">([&](long long t) { return to(out + t * tile_words); }));
}

template <class... O>
void ask_to_the_end(long long n) {
  const auto in = coded(n * tile_words + 1, 1);
  const device_array<word> d_in(in), d_out(in.size());
  const device_array<unsigned> beyond{std::vector<unsigned>(1)};
  launch<three<4, 2>::line, sourced, O...>(nullptr, 1, ask_beyond<O...>, d_in.data(), d_out.data(), n, beyond.data());
  require(cudaDeviceSynchronize());
  CHECK(beyond.read()[0] == 0);
}

// Two pipelines with rings of other depths use the block's memory in turn: what were bytes of one slot become those of
// another, which a body has read or written and the next pipeline's copies write.
template <class Case, class... O>
__device__ void take_turn(const word* in, word* out, long long n) {
  run<typename Case::line, O...>(
      n, on<"read">([&](long long i) { return from(in + i * tile_words); }),
      on<"compute">([&](auto g, auto& x, auto& y, long long i) {
        for (int k = g.rank(); k < tile_words; k += g.size()) y[k] = mix(x[tile_words - 1 - k]) + static_cast<word>(i);
      }),
      on<"write">([&](long long i) { return to(out + i * tile_words); }));
}
using deep_in = three<4, 2>;
using deep_out = three<1, 4>;
template <class... O>
__global__ void in_turn(const word* in, word* out, long long n, int turns) {
  word* mine = out + static_cast<long long>(blockIdx.x) * turns * n * tile_words;
  for (int t = 0; t < turns; ++t, mine += n * tile_words) {
    if (t % 2 == 0) take_turn<deep_in, O...>(in, mine, n);
    else take_turn<deep_out, O...>(in, mine, n);
  }
}

template <class... O>
void share_memory(int blocks, long long n, int turns) {
  const auto in = coded(n * tile_words + 1, 1);
  const long long tiles = blocks * turns * n;
  const device_array<word> d_in(in), d_out(static_cast<std::size_t>(tiles * tile_words));
  launch<deep_in::line, O...>(nullptr, static_cast<unsigned>(blocks), in_turn<O...>, d_in.data(), d_out.data(), n, turns);
  require(cudaDeviceSynchronize());
  const auto out = d_out.read();
  long long wrong = 0;
  for (long long t = 0; t < tiles; ++t)
    for (int k = 0; k < tile_words; ++k)
      wrong += out[static_cast<std::size_t>(t * tile_words + k)] != deep_in::expect(in.data(), nullptr, n, t % n, k);
  CHECK(wrong == 0);
}

using roles = specialised<2>;
using block = uniform<2>;

}  // namespace

TEST_CASE("a million runs with random lengths and stops") {
  // 132 blocks x 2000 runs x 4 forms and a half: some 10^6 of each kind of end
  many<restartable<4, 2>, false, roles>(264, 2000, false, false);
  many<restartable<4, 2>, false, roles>(132, 400, true, false);
  many<restartable<4, 2>, false, block>(264, 1000, false, false);
  many<restartable<1, 1>, false, roles>(132, 500, false, false);
  many<restartable_window<4>, true, roles>(264, 1000, false, false);
  many<restartable_window<4>, true, block>(132, 500, true, false);
}

TEST_CASE("a source decides how long each run is") {
  many<restartable<4, 2>, false, roles, sourced>(264, 1000, false, true);
  many<restartable<4, 2>, false, roles, sourced>(132, 300, true, true);
  many<restartable<4, 2>, false, roles, sourced>(132, 200, false, false);
  many<restartable<4, 2>, false, block, sourced>(132, 500, false, true);
  many<restartable_window<4>, true, roles, sourced>(132, 500, true, true);
  many<restartable_window<4>, true, block, sourced>(132, 500, false, true);
}

TEST_CASE("blocks draw from one counter, also when there are more blocks than work") {
  for (long long tiles : {0, 1, 7, 1000}) {
    draw_from_counter<roles>(20, tiles);
    draw_from_counter<block>(20, tiles);
  }
}

TEST_CASE("a source is not asked beyond its end") {
  for (long long n : {0, 1, 2, 9}) {
    ask_to_the_end<roles>(n);
    ask_to_the_end<block>(n);
  }
}

TEST_CASE("two pipelines use the block's memory in turn") {
  for (long long n : {1, 3, 9}) {
    share_memory<roles>(132, n, 20);
    share_memory<block>(132, n, 20);
  }
}
