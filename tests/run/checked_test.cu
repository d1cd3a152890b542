// Checked builds on the device: pipelines run as they do unchecked, and what breaks a rule ends the kernel.
#define PENSTOCK_CHECKED
#include "run/mute_bodies.hpp"

#include "run/cases.hpp"
#include "support/device_array.hpp"
#include "support/fault_process.hpp"

#include <penstock/run/launch.hpp>
#include <penstock/run/tensor_map.hpp>

using namespace cases;

namespace {

using muted = pipeline<buffer<"muted", word[tile_words], depth<2>>, buffer<"out", word[tile_words], depth<2>>,
                       stage<"read", async, writes<"muted">>,
                       stage<"compute", penstock::sync, reads<"muted">, writes<"out">>,
                       stage<"write", async, reads<"out">>>;
using line = copy<2>::line;
using roles = specialised<2>;

__global__ void run_sound(job j, run_result* results) {
  j.result = results + threadIdx.x;
  three<4, 2>::run<roles>(j);
}

// 0: a range longer than its slot, 1: an address that is not aligned as promised, 2: a block of another size,
// 4: one with no room for the last slot
template <int Fault>
__global__ void break_rule(const word* in, word* out) {
  run<line, roles>(4, on<"read">([&](long long i) {
                       if constexpr (Fault == 1) return from_aligned(in + i * tile_words + 1);
                       else return from(in, Fault == 0 && i == 2 ? tile_words + 1 : tile_words);
                     }),
                     on<"write">([&](long long i) { return to(out + i * tile_words); }));
}

// A function of its own has a copy of the array.
using box = word[64];
using boxes = pipeline<buffer<"b", box, depth<2>>, stage<"read", async, writes<"b">>,
                       stage<"write", async, reads<"b">>>;
__global__ void capture_a_copy(const __grid_constant__ tiled<box, 1> in, word* out) {
  run<boxes, roles>(4, on<"read">([=](long long i) { return from(in, i * 64); }),
                    on<"write">([=](long long i) { return to(out + i * 64); }));
}

// Nobody says that the body is done.
__global__ void wait_for_ever(const word* in, word* out) {
  run<muted, roles>(4, on<"read">([&](long long i) { return from(in + i * tile_words); }),
                      on<"compute">([](auto, auto&, auto&, long long) {}),
                      on<"write">([&](long long i) { return to(out + i * tile_words); }));
}

const std::vector<word> blank(8 * tile_words);

template <int Fault>
void commit_fault() {
  const device_array<word> in(blank), out(blank);
  if constexpr (Fault == 3) {
    launch<muted, roles>(nullptr, 1, wait_for_ever, in.data(), out.data());
  } else if constexpr (Fault == 5) {
    const auto array = make_tiled<box, 1>(in.data(), {256});
    REQUIRE(array.mapped);
    launch<boxes, roles>(nullptr, 1, capture_a_copy, array, out.data());
  } else {
    const launch_shape shape = prepare<line, roles>(break_rule<Fault>);
    const auto bytes = static_cast<std::size_t>(shape.shared_bytes) - (Fault == 4 ? sizeof(word[tile_words]) : 0);
    break_rule<Fault><<<1, shape.threads + (Fault == 2 ? 32 : 0), bytes>>>(in.data(), out.data());
  }
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
}

}  // namespace

TEST_CASE("what works unchecked works checked") {
  const auto in = coded(9 * tile_words, 1);
  const device_array<word> d_in(in), d_out(in.size());
  const device_array<run_result> results{std::vector<run_result>(1024)};
  launch<three<4, 2>::line, roles>(nullptr, 1, run_sound, job{d_in.data(), nullptr, d_out.data(), 9, -1, 5, nullptr},
                                     results.data());
  require(cudaDeviceSynchronize());
  CHECK(results.read()[0].iterations == 9);
  const auto out = d_out.read();
  long long wrong = 0;
  for (long long i = 0; i < 9; ++i)
    for (int k = 0; k < tile_words; ++k)
      wrong += out[static_cast<std::size_t>(i * tile_words + k)] != three<4, 2>::expect(in.data(), nullptr, 9, i, k);
  CHECK(wrong == 0);
}
TEST_CASE("fault 0" * doctest::skip()) { commit_fault<0>(); }
TEST_CASE("fault 1" * doctest::skip()) { commit_fault<1>(); }
TEST_CASE("fault 2" * doctest::skip()) { commit_fault<2>(); }
TEST_CASE("fault 3" * doctest::skip()) { commit_fault<3>(); }
TEST_CASE("fault 4" * doctest::skip()) { commit_fault<4>(); }
TEST_CASE("fault 5" * doctest::skip()) { commit_fault<5>(); }
TEST_CASE("what breaks a rule ends the kernel with a sentence") {
  must_say(0, "penstock: a copy is longer than its slot (slot 0, instance 2;");
  must_say(1, "penstock: an aligned copy has an address or a size that is no multiple of 16 (slot 0, instance 0;");
  must_say(2, "penstock: a block has another number of threads than its pipeline's mapping asks for");
  must_say(4, "penstock: a block has less dynamic shared memory than its pipeline needs");
  if (PENSTOCK_TEST_TARGET >= 90) {
    must_say(3, "and nobody signals it");  // one agent waits for no signal
    must_say(5, "penstock: a tiled array lies in a thread's own memory");
  }
}
