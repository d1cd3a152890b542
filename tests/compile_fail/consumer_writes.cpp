// expect: (read-only|must be a modifiable lvalue|const-qualified)
#include <penstock/ring/channel.hpp>

using namespace penstock;

void use(channel<int, 2, producers<threads<1>>, consumers<threads<1>>>& ring) {
  auto end = ring.consumer(0);
#ifndef PENSTOCK_TEST_FIXED
  *end.acquire() = 1;
#else
  (void)*end.acquire();
#endif
}
