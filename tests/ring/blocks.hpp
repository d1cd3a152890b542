// Plays scripts in thread blocks, one a block, and checks what came out. Kernels that hang end the test.
#pragma once

#include "ring/scripts.hpp"
#include "support/device_array.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace rings {

// A kernel that never ends would hold the device and the test for ever.
inline void await_device(const char* what) {
  const auto start = std::chrono::steady_clock::now();
  while (cudaStreamQuery(nullptr) == cudaErrorNotReady)
    if (std::chrono::steady_clock::now() - start > std::chrono::minutes(2)) {
      std::fprintf(stderr, "hangs: %s\n", what);
      std::_Exit(1);
    }
  const cudaError_t code = cudaDeviceSynchronize();
  REQUIRE_MESSAGE(code == cudaSuccess, what << ": " << cudaGetErrorString(code));
}

// Warps that a party is given; a party never shares one.
constexpr int warps_of(detail::party p) { return (p.threads + 31) / 32; }

template <class Ring, int P, int C>
struct crew {
  static constexpr int first_warp = [] {
    int sum = 0;
    for (int k = 0; k < P; ++k) sum += warps_of(Ring::producer_list[k]);
    for (int k = 0; k < C; ++k) sum += warps_of(Ring::consumer_list[k]);
    return sum;
  }();
};
template <class Ring>
inline constexpr int block_threads = 32 * crew<Ring, Ring::producer_count, Ring::consumer_count>::first_warp;

template <class Ring, int P>
__device__ void produce_as(Ring& ring, const script& s) {
  if constexpr (P < Ring::producer_count) {
    const int rank = static_cast<int>(threadIdx.x) - 32 * crew<Ring, P, 0>::first_warp;
    if (rank >= 0 && rank < Ring::template producer_size<P>) produce<P>(ring, s, rank);
    else produce_as<Ring, P + 1>(ring, s);
  }
}
template <class Ring, int C>
__device__ void consume_as(Ring& ring, const script& s) {
  if constexpr (C < Ring::consumer_count) {
    const int rank = static_cast<int>(threadIdx.x) - 32 * crew<Ring, Ring::producer_count, C>::first_warp;
    if (rank >= 0 && rank < Ring::template consumer_size<C>) consume<C>(ring, s, rank);
    else consume_as<Ring, C + 1>(ring, s);
  }
}

template <class Shape>
__global__ void play_kernel(const script* scripts) {
  using ring_type = typename Shape::ring;
  __shared__ typename ring_type::storage memory;
  const script s = scripts[blockIdx.x];
  for (int life = 0; life < 2; ++life) {  // the storage is free once a channel is gone: another one takes it
    ring_type ring(memory);
    produce_as<ring_type, 0>(ring, s);
    consume_as<ring_type, 0>(ring, s);
  }
}

// Where a block's data lies in the arrays of all blocks.
struct placement {
  std::size_t in, out, delivered;
};

template <class Shape>
void play_all(std::vector<script> scripts) {
  using ring_type = typename Shape::ring;
  constexpr int consumers = ring_type::consumer_count;
  std::vector<word> in;
  std::vector<word> untouched;
  std::vector<placement> places;
  std::size_t counts = 0;
  for (std::size_t b = 0; b < scripts.size(); ++b) {
    script& s = scripts[b];
    // every other block's input, and two of four outputs, are not aligned for the copy engine
    in.resize((in.size() + 7) / 4 * 4 + b % 2);
    untouched.resize((untouched.size() + 7) / 4 * 4 + b / 2 % 2);
    places.push_back({in.size(), untouched.size(), counts});
    const auto tiles = coded(s.tiles() * tile_words, static_cast<word>(3 * b + 1));
    const auto blank = coded(consumers * s.tiles() * tile_words, static_cast<word>(3 * b + 2));
    in.insert(in.end(), tiles.begin(), tiles.end());
    untouched.insert(untouched.end(), blank.begin(), blank.end());
    counts += static_cast<std::size_t>(consumers * s.sessions * s.runs);
  }
  const device_array<word> d_in(in), d_out(untouched);
  const device_array<long long> d_counts(std::vector<long long>(counts, -1));
  for (std::size_t b = 0; b < scripts.size(); ++b) {
    scripts[b].in = d_in.data() + places[b].in;
    scripts[b].out = d_out.data() + places[b].out;
    scripts[b].delivered = d_counts.data() + places[b].delivered;
  }
  const device_array<script> d_scripts(scripts);
  constexpr int threads = block_threads<ring_type>;
  play_kernel<Shape><<<static_cast<unsigned>(scripts.size()), threads>>>(d_scripts.data());
  require(cudaGetLastError());
  await_device(Shape::name);

  const auto out = d_out.read();
  const auto delivered = d_counts.read();
  const auto part = [](const auto& all, std::size_t first, long long length) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
    return std::vector(begin, begin + static_cast<std::ptrdiff_t>(length));
  };
  for (std::size_t b = 0; b < scripts.size(); ++b) {
    const script& s = scripts[b];
    const long long words = s.tiles() * tile_words;
    INFO(Shape::name << ", " << ring_type::depth << " slots, n = " << s.n << ", runs " << s.runs << ", sessions "
                     << s.sessions << ", stop at " << s.stop_at << ", leave in " << s.leave_in << ", skip every "
                     << s.skip_every << ", ends with data " << s.ends_with_data << ", polls " << s.polls << ", seed "
                     << s.seed << ", block " << b);
    CHECK(wrong(s, consumers, part(in, places[b].in, words), part(out, places[b].out, consumers * words),
                part(untouched, places[b].out, consumers * words),
                part(delivered, places[b].delivered, consumers * s.sessions * s.runs)) == 0);
  }
}

// Sanitizers slow a kernel down a hundredfold.
inline bool short_tests() { return std::getenv("PENSTOCK_SHORT_TESTS") != nullptr; }

template <template <int> class Shape, int D>
void play_every_script() {
  std::vector<script> scripts;
  every_script<D>([&](const script& s) {
    if (!short_tests() || s.n <= 2 * D + 2) scripts.push_back(s);
  });
  play_all<Shape<D>>(scripts);
}

}  // namespace rings
