// expect: release_after<N> keeps N slots back, and one more must stay free for the producers
#include <penstock/ring/channel.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using late = release_after<4, by_bulk>;
#else
using late = release_after<3, by_bulk>;
#endif

void use(channel<float[32], 4, producers<warps<1>>, consumers<late>>& ring) { auto end = ring.consumer(); }
