// expect: no member\W+(named\W+)?commit
#include <penstock/ring/channel.hpp>

using namespace penstock;

void use(channel<int, 2, producers<threads<1>>, consumers<threads<1>>>& ring) {
  auto end = ring.consumer(0);
  auto slot = end.acquire();
#ifndef PENSTOCK_TEST_FIXED
  slot.commit();
#else
  slot.release();
#endif
}
