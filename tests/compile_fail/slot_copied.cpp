// expect: (deleted|cannot be referenced -- it is a deleted function)
#include <penstock/ring/channel.hpp>

using namespace penstock;

void use(channel<int, 2, producers<threads<1>>, consumers<threads<1>>>& ring) {
  auto end = ring.producer(0);
  auto slot = end.acquire();
#ifndef PENSTOCK_TEST_FIXED
  auto another = slot;
#else
  auto another = static_cast<decltype(slot)&&>(slot);
#endif
  another.commit();
}
