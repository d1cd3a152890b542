// expect: a producer copies from\(\.\.\.\) somewhere into its slot
#include <penstock/ring/channel.hpp>

using namespace penstock;

void use(channel<int[4], 2, producers<threads<1>>, consumers<threads<1>>>& ring, int* memory) {
  auto end = ring.producer(0);
  auto slot = end.acquire();
#ifndef PENSTOCK_TEST_FIXED
  slot.copy(to(memory));
#else
  slot.copy(from(memory));
#endif
}
