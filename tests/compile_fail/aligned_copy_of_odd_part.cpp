// expect: from_aligned and to_aligned move parts of a multiple of 16 bytes; from and to move any
#include <penstock/ring/channel.hpp>

using namespace penstock;
#if defined(PENSTOCK_TEST_FIXED)
using part = float[4];
#else
using part = float[5];
#endif
using ring = channel<part, 2, producers<by_bulk>, consumers<warps<1>>>;

void fetch(ring& line, const float* in) {
  auto out = line.producer();
  out.acquire().copy(from_aligned(in));
}
