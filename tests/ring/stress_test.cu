// A million runs of random length, stop points, ends and skips on channels that are never made anew, with seeded delays at
// every guard. Consumers check each word where it lies.
#include "ring/blocks.hpp"

using namespace rings;

namespace {

constexpr int runs = 1000, source_tiles = 997;

struct course {
  word h;
  PENSTOCK_HD explicit course(int block, int run) : h(mix(mix(static_cast<word>(block)) + static_cast<word>(run))) {}
  PENSTOCK_HD int count(int depth) const { return static_cast<int>(h % static_cast<word>(4 * depth + 2)); }
  PENSTOCK_HD int stop(int consumer) const {  // beyond the end: none
    return static_cast<int>(mix(h + static_cast<word>(consumer)) % 24u);
  }
  PENSTOCK_HD bool ends_with_data() const { return (h >> 9 & 1u) != 0; }
  PENSTOCK_HD bool skips(int i) const { return (mix(h ^ static_cast<word>(i * 613)) & 15u) == 0; }
  PENSTOCK_HD int tile(int i) const { return static_cast<int>(mix(h + static_cast<word>(i) * 7919u) % source_tiles); }
};

__device__ void dawdle(word seed) {
  const word h = mix(seed);
  if (h % 61 == 0) __nanosleep(h >> 8 & 1023u);
}

template <int I, class Ring>
__device__ void produce_courses(Ring& ring, const word* in, int rank) {
  auto end = ring.template producer<I>(rank);
  for (int run = 0; run < runs; ++run) {
    const course c(static_cast<int>(blockIdx.x), run);
    const int count = c.count(Ring::depth);
    bool finished = false;
    for (int i = 0; i < count; ++i) {
      dawdle(c.h + static_cast<word>(i * 8 + I + rank / 32 * 1024));
      auto slot = end.acquire();
      if (!slot) break;
      finished = c.ends_with_data() && i + 1 == count;
      if (!finished && c.skips(i)) {
        slot.skip();
        continue;
      }
      fill<Ring, I>(slot, in + c.tile(i) * tile_words, rank);
      dawdle(c.h + static_cast<word>(i * 8 + 2 + I + rank / 32 * 1024));
      if (finished) slot.commit_last();
    }
    if (!finished) end.finish();
  }
}

template <int I, class Ring>
__device__ void consume_courses(Ring& ring, const word* in, unsigned long long* wrong, int rank) {
  auto end = ring.template consumer<I>(rank);
  unsigned long long errors = 0;
  for (int run = 0; run < runs; ++run) {
    const course c(static_cast<int>(blockIdx.x), run);
    const int count = c.count(Ring::depth), stop = c.stop(I);
    int got = 0;
    while (auto slot = end.acquire()) {
      dawdle(c.h + static_cast<word>(got * 8 + 4 + I + rank / 32 * 1024));
      const bool skipped = c.skips(got) && !(c.ends_with_data() && got + 1 == count);
      errors += slot.skipped() != skipped;
      if (!skipped) {
        const word* expected = in + c.tile(got) * tile_words;
        const word* found = slot->first;  // both parts, one after the other
        for (int k = rank; k < tile_words; k += Ring::template consumer_size<I>) errors += found[k] != expected[k];
      }
      if (got++ == stop) end.stop();
    }
    errors += got != (stop < count ? stop + 1 : count);
  }
  if (errors != 0) atomicAdd(wrong, errors);
}

template <class Ring, int P>
__device__ void produce_as_one(Ring& ring, const word* in) {
  if constexpr (P < Ring::producer_count) {
    const int rank = static_cast<int>(threadIdx.x) - 32 * crew<Ring, P, 0>::first_warp;
    if (rank >= 0 && rank < Ring::template producer_size<P>) produce_courses<P>(ring, in, rank);
    else produce_as_one<Ring, P + 1>(ring, in);
  }
}
template <class Ring, int C>
__device__ void consume_as_one(Ring& ring, const word* in, unsigned long long* wrong) {
  if constexpr (C < Ring::consumer_count) {
    const int rank = static_cast<int>(threadIdx.x) - 32 * crew<Ring, Ring::producer_count, C>::first_warp;
    if (rank >= 0 && rank < Ring::template consumer_size<C>) consume_courses<C>(ring, in, wrong, rank);
    else consume_as_one<Ring, C + 1>(ring, in, wrong);
  }
}

template <class Ring>
__global__ void stress(const word* in, unsigned long long* wrong) {
  __shared__ typename Ring::storage memory;
  Ring ring(memory);
  produce_as_one<Ring, 0>(ring, in);
  consume_as_one<Ring, 0>(ring, in, wrong);
}

template <class Ring>
void run_stress(const char* name) {
  const device_array<word> in(coded(source_tiles * tile_words, 5));
  const device_array<unsigned long long> wrong(std::vector<unsigned long long>(1, 0));
  constexpr int threads = block_threads<Ring>;
  const int blocks = short_tests() ? 2 : 1000;
  const auto start = std::chrono::steady_clock::now();
  stress<Ring><<<static_cast<unsigned>(blocks), threads>>>(in.data(), wrong.data());
  require(cudaGetLastError());
  await_device(name);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  CHECK_MESSAGE(wrong.read()[0] == 0, name);
  std::printf("%s: %d runs in %.2f s\n", name, blocks * runs, seconds.count());
}

}  // namespace

TEST_CASE("a million runs") {
  run_stress<channel<tile_slot, 3, producers<by_bulk>, consumers<warps<2>>>>("bulk copies, one consumer");
  run_stress<channel<tile_slot, 2, producers<by_bulk, warps<1>>, consumers<warps<2>, warps<1>>>>("two of each");
  run_stress<channel<tile_slot, 4, producers<by_copies<warps<2>>>, consumers<warps<3>>>>("cp.async of two warps");
}
