// expect: a party of more than one warp says its rank
#include <penstock/ring/channel.hpp>

using namespace penstock;

void use(channel<float[32], 4, producers<by_bulk>, consumers<warps<2>>>& ring) {
#ifndef PENSTOCK_TEST_FIXED
  auto end = ring.consumer();
#else
  auto end = ring.consumer(0);
#endif
}
