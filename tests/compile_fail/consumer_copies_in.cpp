// expect: a consumer copies its slot to\(\.\.\.\) somewhere
#include <penstock/ring/channel.hpp>

using namespace penstock;

void use(channel<int[4], 2, producers<threads<1>>, consumers<threads<1>>>& ring, int* memory) {
  auto end = ring.consumer(0);
  auto slot = end.acquire();
#ifndef PENSTOCK_TEST_FIXED
  slot.copy_out(from(memory));
#else
  slot.copy_out(to(memory));
#endif
}
