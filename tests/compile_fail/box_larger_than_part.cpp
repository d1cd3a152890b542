// expect: a box is larger than the part of the slot it goes to
#include <penstock/ring/channel.hpp>

using namespace penstock;
using ring = channel<float[8][16], 2, producers<by_bulk>, consumers<warps<1>>>;

#if defined(PENSTOCK_TEST_FIXED)
using box = float[8][16];
#else
using box = float[9][16];
#endif

void fetch(ring& line, const tiled<box, 2>& in) {
  auto out = line.producer();
  out.acquire().copy(from(in, 0, 0));
}
