// Checked builds on the device: scripts go through as they do unchecked, and what breaks a rule ends the kernel.
#define PENSTOCK_CHECKED
#include "ring/blocks.hpp"
#include "support/fault_process.hpp"

using namespace rings;

namespace {

using pair = channel<int, 2, producers<threads<1>>, consumers<threads<1>>>;

template <int Fault>
__global__ void break_rule() {
  __shared__ pair::storage memory;
  pair ring(memory);
  auto out = ring.producer(0);
  auto in = ring.consumer(0);
  if constexpr (Fault == 0) {
    auto slot = out.acquire();
    *slot = 1;
    slot.commit();
    slot.commit();
  } else if constexpr (Fault == 1) {
    out.acquire().commit();
    auto slot = in.acquire();
    slot.release();
    slot.release();
  } else if constexpr (Fault == 2) {
    out.acquire().commit();
    auto slot = in.acquire();
    slot.release();
    if (*slot == 12345) __nanosleep(1);
  } else if constexpr (Fault == 3) {
    auto again = ring.producer(0);
  } else {
    for (int k = 0; k < 3; ++k) out.acquire().commit();  // the third slot of two is never free
  }
}

template <int Fault>
void commit_fault() {
  break_rule<Fault><<<1, 1>>>();
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
}

}  // namespace

TEST_CASE("scripts go through") {
  play_every_script<bulk_to_threads, 2>();
  play_every_script<several, 3>();
}
TEST_CASE("fault 0" * doctest::skip()) { commit_fault<0>(); }
TEST_CASE("fault 1" * doctest::skip()) { commit_fault<1>(); }
TEST_CASE("fault 2" * doctest::skip()) { commit_fault<2>(); }
TEST_CASE("fault 3" * doctest::skip()) { commit_fault<3>(); }
TEST_CASE("fault 4" * doctest::skip()) { commit_fault<4>(); }
TEST_CASE("what breaks a rule ends the kernel with a sentence") {
  for (int fault = 0; fault < 5; ++fault) must_say(fault, "penstock: ");
}
