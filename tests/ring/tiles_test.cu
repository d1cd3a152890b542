// Boxes of strided arrays, swizzled boxes, parts at odd addresses and copies of one's own through channels.
#include "ring/blocks.hpp"

#include <penstock/run/tensor_map.hpp>

using namespace rings;

namespace {

using box = word[8][16];

constexpr int rows = 37, columns = 52, pitch = 60;  // boxes hang over two edges
using plane = tiled<box, 2>;

template <class Ring, class Move>
__device__ void fetch_boxes(Ring& ring, int left, const Move& box_at, int rank) {
  auto out = ring.producer(rank);
  for (int r = 0; r < rows; r += 8)
    for (int c = left; c < columns; c += 16) {
      auto slot = out.acquire();
      slot.copy(box_at(r, c));
    }
}

// Boxes go out again as boxes, and word by word with what lies outside the array. The first ones start at column `left`.
template <class Ring>
__global__ void move_boxes(const __grid_constant__ plane in, const __grid_constant__ plane out, int left, word* seen) {
  __shared__ typename Ring::storage memory;
  Ring ring(memory);
  const int thread = static_cast<int>(threadIdx.x);
  constexpr int producers = Ring::template producer_size<0>, readers = Ring::template consumer_size<0>;
  if (thread < producers) {
    fetch_boxes(ring, left, [&](int r, int c) { return from(in, r, c); }, thread);
  } else if (thread < producers + readers) {
    auto end = ring.template consumer<0>(thread - producers);
    int at = 0;
    while (auto slot = end.acquire()) {
      for (int k = thread - producers; k < 128; k += readers) seen[at + k] = (*slot)[k / 16][k % 16];
      at += 128;
    }
  } else {
    auto end = ring.template consumer<1>(thread - producers - readers);
    for (int r = 0; r < rows; r += 8)
      for (int c = left; c < columns; c += 16) end.acquire().copy_out(to(out, r, c));
  }
}

template <class Producer, class Copier>
void boxes_through(const char* name, int left) {
  using ring = channel<box, 3, producers<Producer>, consumers<warps<2>, Copier>>;
  const auto in = coded(rows * pitch, 1), untouched = coded(rows * pitch, 2);
  const device_array<word> d_in(in), d_out(untouched);
  const int across = (columns - left + 15) / 16, boxes = (rows + 7) / 8 * across;
  const device_array<word> d_seen(std::vector<word>(static_cast<std::size_t>(boxes * 128), 7));
  const plane from_plane = make_tiled<box, 2>(d_in.data(), {rows, columns}, {pitch, 1});
  const plane to_plane = make_tiled<box, 2>(d_out.data(), {rows, columns}, {pitch, 1});
  constexpr int threads = ring::template producer_party<0>.threads + 64 + ring::template consumer_party<1>.threads;
  move_boxes<ring><<<1, threads>>>(from_plane, to_plane, left, d_seen.data());
  require(cudaGetLastError());
  await_device(name);
  const auto out = d_out.read(), seen = d_seen.read();
  long long wrong = 0;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < pitch; ++c) {
      const auto at = static_cast<std::size_t>(r * pitch + c);
      wrong += out[at] != (c < columns ? in[at] : untouched[at]);
    }
  for (int k = 0; k < boxes * 128; ++k) {
    const int b = k / 128, r = b / across * 8 + k % 128 / 16, c = left + b % across * 16 + k % 16;
    const word expected = r < rows && c >= 0 && c < columns ? in[static_cast<std::size_t>(r * pitch + c)] : 0;
    wrong += seen[static_cast<std::size_t>(k)] != expected;
  }
  CHECK_MESSAGE(wrong == 0, name << ", from column " << left);
}

// Parts that start at no multiple of 16 bytes, and one whose size is none.
struct odd_slot {
  word first[5];
  word second[70];
  word third[21];
};
static_assert(sizeof(odd_slot) == sizeof(tile_slot));

template <class Ring>
__global__ void move_odd_parts(const word* in, word* out, word* copied, int tiles) {
  __shared__ typename Ring::storage memory;
  Ring ring(memory);
  const int thread = static_cast<int>(threadIdx.x);
  constexpr int producers = Ring::template producer_size<0>, readers = Ring::template consumer_size<0>;
  if (thread < producers) {
    auto end = ring.producer(thread);
    for (int t = 0; t < tiles; ++t) {
      const word* const from_words = in + t * tile_words;
      auto slot = end.acquire();
      slot.copy(slot->first, from(from_words));
      slot.copy(slot->second, from(from_words + 5));
      slot.copy(slot->third, from(from_words + 75));
    }
  } else if (thread < producers + readers) {
    auto end = ring.template consumer<0>(thread - producers);
    int t = 0;
    while (auto slot = end.acquire()) {
      const word* const words = reinterpret_cast<const word*>(&*slot);
      for (int k = thread - producers; k < tile_words; k += readers) out[t * tile_words + k] = words[k];
      ++t;
    }
  } else {
    auto end = ring.template consumer<1>(thread - producers - readers);
    int t = 0;
    while (auto slot = end.acquire()) {
      word* const to_words = copied + t++ * tile_words;
      slot.copy_out(slot->first, to(to_words));
      slot.copy_out(slot->second, to(to_words + 5));
      slot.copy_out(slot->third, to(to_words + 75));
    }
  }
}

template <class Producer, class Copier>
void odd_parts_through(const char* name) {
  using ring = channel<odd_slot, 3, producers<Producer>, consumers<warps<2>, Copier>>;
  constexpr int tiles = 50;
  const auto in = coded(tiles * tile_words, 1);
  const device_array<word> d_in(in), d_out(coded(tiles * tile_words, 2)), d_copied(coded(tiles * tile_words, 3));
  constexpr int threads = ring::template producer_party<0>.threads + 64 + ring::template consumer_party<1>.threads;
  move_odd_parts<ring><<<1, threads>>>(d_in.data(), d_out.data(), d_copied.data(), tiles);
  require(cudaGetLastError());
  await_device(name);
  CHECK_MESSAGE(d_out.read() == in, name);
  CHECK_MESSAGE(d_copied.read() == in, name);
}

#if PENSTOCK_TEST_TARGET >= 90

using wide_box = word[8][32];  // rows of 128 bytes
struct wide_slot {
  alignas(1024) wide_box words;
};
using wide_ring = channel<wide_slot, 2, producers<by_bulk>, consumers<by_bulk, warps<1>>>;
using wide_plane = swizzled<wide_box, 2>;

template <class Ring>
__global__ void move_swizzled(const __grid_constant__ wide_plane in, const __grid_constant__ wide_plane out, int boxes,
                              word* seen) {
  if constexpr (Ring::ops::has_engine) {
    __shared__ typename Ring::storage memory;
    Ring ring(memory);
    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    if (warp == 0) {
      auto end = ring.producer();
      for (int b = 0; b < boxes; ++b) {
        auto slot = end.acquire();
        slot.copy(slot->words, from(in, 8 * b, 0));
      }
    } else if (warp == 1) {
      auto end = ring.template consumer<0>();
      for (int b = 0; b < boxes; ++b) {
        auto slot = end.acquire();
        slot.copy_out(slot->words, to(out, 8 * b, 0));
      }
    } else {
      auto end = ring.template consumer<1>();
      for (int b = 0; b < boxes; ++b) {
        auto slot = end.acquire();
        for (int r = 0; r < 8; ++r)  // the 16-byte piece p of row r lies where piece p ^ r would
          seen[(8 * b + r) * 32 + lane] = slot->words[r][4 * (lane / 4 ^ r) + lane % 4];
      }
    }
  }
}

// Copies that the channel does not start, but whose bytes it waits for.
template <class Ring>
__global__ void copy_by_hand(const word* in, word* out, int tiles) {
  if constexpr (Ring::ops::has_engine) {
    __shared__ typename Ring::storage memory;
    Ring ring(memory);
    if (threadIdx.x < 32) {
      auto end = ring.producer();
      for (int t = 0; t < tiles; ++t) {
        auto slot = end.acquire();
        slot.expect(sizeof(tile_slot));
        if (threadIdx.x == 0)
          arch::hopper::bulk_in(&*slot, in + t * tile_words, sizeof(tile_slot), slot.barrier());
      }
    } else {
      auto end = ring.consumer(static_cast<int>(threadIdx.x) - 32);
      int t = 0;
      while (auto slot = end.acquire()) take_away<0, Ring>(slot, out + t++ * tile_words, end.rank());
    }
  }
}

#endif

}  // namespace

TEST_CASE("boxes of an array") {
  for (int left : {0, -4, -3}) {  // the last no multiple of 16 bytes
    boxes_through<by_bulk, by_bulk>("bulk copies in and out", left);
    boxes_through<by_copies<warps<2>>, by_bulk>("cp.async in, bulk copies out", left);
    boxes_through<warps<2>, warps<1>>("loads and stores", left);
  }
}

TEST_CASE("parts at odd addresses") {
  odd_parts_through<by_bulk, by_bulk>("bulk copies in and out");
  odd_parts_through<by_copies<warps<2>>, by_bulk>("cp.async in, bulk copies out");
  odd_parts_through<warps<2>, warps<1>>("loads and stores");
}

#if PENSTOCK_TEST_TARGET >= 90

TEST_CASE("swizzled boxes") {
  constexpr int boxes = 21;
  const auto in = coded(boxes * 256, 1);
  const device_array<word> d_in(in), d_out(coded(boxes * 256, 2)), d_seen(coded(boxes * 256, 3));
  const wide_plane from_plane = make_swizzled<wide_box, 2>(d_in.data(), {8 * boxes, 32}, {32, 1});
  const wide_plane to_plane = make_swizzled<wide_box, 2>(d_out.data(), {8 * boxes, 32}, {32, 1});
  move_swizzled<wide_ring><<<1, 96>>>(from_plane, to_plane, boxes, d_seen.data());
  require(cudaGetLastError());
  await_device("swizzled boxes");
  CHECK(d_out.read() == in);
  CHECK(d_seen.read() == in);
}

TEST_CASE("copies of one's own") {
  using ring = channel<tile_slot, 3, producers<by_bulk>, consumers<warps<2>>>;
  constexpr int tiles = 100;
  const auto in = coded(tiles * tile_words, 1);
  const device_array<word> d_in(in), d_out(coded(tiles * tile_words, 2));
  copy_by_hand<ring><<<1, 96>>>(d_in.data(), d_out.data(), tiles);
  require(cudaGetLastError());
  await_device("copies of one's own");
  CHECK(d_out.read() == in);
}

#endif
