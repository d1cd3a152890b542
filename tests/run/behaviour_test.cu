// Every case in thread blocks, on the backend this file is compiled for and on each below it that it can be held to.
#include "run/cases.hpp"
#include "support/device_array.hpp"

#include <penstock/run/launch.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

namespace {

using namespace cases;

constexpr int blocks = 5;

struct jobs {
  const word* in;
  const word* other;
  word* out;
  long long stretch;  // words a block
  long long n;
  long long stop_at;
  word seed;
  run_result* results;
};

template <class Case, class... O>
__global__ void kernel(jobs a) {
  __shared__ run_result result[1024];
  const long long b = blockIdx.x;
  // neighbouring blocks run different counts
  job j{a.in + b * a.stretch, a.other + b * a.stretch, a.out + b * a.stretch, a.n > b % 2 ? a.n - b % 2 : a.n,
        a.stop_at, a.seed == 0 ? 0 : a.seed + static_cast<word>(b), &result[threadIdx.x]};
  Case::template run<O...>(j);
  __syncthreads();
  if (threadIdx.x == 0) a.results[b] = result[0];
  __syncthreads();
  // every thread must hold the same result
  if (result[threadIdx.x].iterations != result[0].iterations) a.results[b].iterations = -1;
}

template <class Case, class... O>
void run_case(long long n, word seed = 0, long long stop_at = -1) {
  const long long stretch = (n + 1) * tile_words;
  const auto in = coded(blocks * stretch, 1), other = coded(blocks * stretch, 2), untouched = coded(blocks * stretch, 3);
  const device_array<word> d_in(in), d_other(other), d_out(untouched);
  const device_array<run_result> d_results{std::vector<run_result>(blocks)};
  launch<typename Case::line, O...>(nullptr, blocks, kernel<Case, O...>,
                                    jobs{d_in.data(), d_other.data(), d_out.data(), stretch, n, stop_at, seed,
                                         d_results.data()});
  require(cudaDeviceSynchronize());
  const auto out = d_out.read();
  const auto results = d_results.read();
  INFO(Case::name << ", n = " << n << ", seed " << seed << ", stop at " << stop_at);
  long long wrong = 0;
  for (long long b = 0; b < blocks; ++b) {
    const long long count = n > b % 2 ? n - b % 2 : n;
    const bool stops = stop_at >= 0 && stop_at < count;
    const long long done = stops ? stop_at + 1 : count;
    CHECK(results[static_cast<std::size_t>(b)].iterations == done);
    CHECK(results[static_cast<std::size_t>(b)].stopped == stops);
    const word* x = in.data() + b * stretch;
    const word* y = other.data() + b * stretch;
    for (long long i = 0; i <= n; ++i)
      for (int k = 0; k < tile_words; ++k) {
        const auto at = static_cast<std::size_t>(b * stretch + i * tile_words + k);
        wrong += out[at] != (i < done ? Case::expect(x, y, count, i, k) : untouched[at]);
      }
  }
  CHECK(wrong == 0);
}

template <class Case, class... O>
void sweep() {
  for (long long n : {0, 1, 2, 3, 4, 5, 8, 9, 17}) run_case<Case, O...>(n);
  // under a memory checker every launch takes a hundred times as long
  if (std::getenv("PENSTOCK_SHORT_TESTS") != nullptr) return;
  for (word seed : {1u, 20u, 300u}) run_case<Case, O...>(40, seed);
  run_case<Case, O...>(4000);  // every slot wraps a thousand times or more
}

using roles = specialised<2>;
using block = uniform<3>;

template <class Case>
void mappings() {
  sweep<Case, roles>();
  sweep<Case, block>();
}

template <class... O>
__global__ void ragged_kernel(const unsigned char* in, unsigned char* out, long long n) { ragged::run<O...>(in, out, n); }

template <class... O>
void run_ragged() {
  const long long n = 300;
  std::vector<unsigned char> in(n * 256 + 32);
  for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<unsigned char>(mix(static_cast<word>(k)) >> 9);
  const device_array<unsigned char> d_in(in), d_out(n * 256 + 32);
  for (int from = 0; from < 16; from += 3)
    for (int to = 0; to < 16; to += 5) {
      require(cudaMemset(d_out.data(), 0xa5, n * 256 + 32));
      launch<ragged::line, O...>(nullptr, 1, ragged_kernel<O...>, d_in.data() + from, d_out.data() + to, n);
      require(cudaDeviceSynchronize());
      const auto out = d_out.read();
      long long wrong = 0;
      for (long long i = 0; i < n; ++i)
        for (long long k = 0; k < 256; ++k) {
          const auto at = static_cast<std::size_t>(i * 256 + k);
          wrong += out[static_cast<std::size_t>(to) + at] != (k < ragged::size(i) ? in[static_cast<std::size_t>(from) + at] : 0xa5);
        }
      INFO("source offset " << from << ", target offset " << to);
      CHECK(wrong == 0);
    }
}

}  // namespace

TEST_CASE("copies") {
  mappings<copy<1>>();
  mappings<copy<2>>();
  mappings<copy<5>>();
}
TEST_CASE("read, compute, write") {
  mappings<three<1, 1>>();
  mappings<three<4, 2>>();
}
TEST_CASE("in place") {
  mappings<in_place<1>>();
  mappings<in_place<4>>();
}
TEST_CASE("windows") {
  mappings<windowed<-1, 1, 3>>();
  mappings<windowed<-2, 0, 4>>();
  mappings<windowed<-2, -1, 3>>();
  mappings<windowed<1, 2, 4>>();
}
TEST_CASE("chains of bodies and two consumers") {
  mappings<chain<1>>();
  mappings<chain<2>>();
  mappings<two_consumers>();
}
TEST_CASE("a stop ends after its iteration, wherever it falls") {
  for (long long n : {0, 1, 2, 5, 9, 13})
    for (long long s = 0; s <= n; ++s) {
      run_case<stopping<1, 1>, roles>(n, 0, s);
      run_case<stopping<4, 2>, roles>(n, 7, s);
      run_case<stopping<4, 2>, block>(n, 7, s);
    }
}
TEST_CASE("ragged ranges leave their surroundings alone") {
  run_ragged<roles>();
  run_ragged<block>();
}
TEST_CASE("a pipeline held below the native backend") {
  if constexpr (PENSTOCK_TEST_TARGET > 80) run_case<three<4, 2>, block, at_most<backend::ampere>>(100, 5);
  run_case<three<4, 2>, block, at_most<backend::portable>>(100, 5);
}
