// expect: no member\W+(named\W+)?release
#include <penstock/ring/channel.hpp>

using namespace penstock;

void fill(channel<int, 2, producers<threads<1>>, consumers<threads<1>>>& ring) {
  auto end = ring.producer(0);
  auto slot = end.acquire();
#ifndef PENSTOCK_TEST_FIXED
  slot.release();
#else
  slot.commit();
#endif
}
