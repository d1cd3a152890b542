// expect: cp.async does not read shared memory
#include <penstock/ring/channel.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using reader = by_copies<warps<1>>;
#else
using reader = warps<1>;
#endif
using line = channel<float[32], 4, producers<by_bulk>, consumers<reader>>;
static_assert(line::consumer_count == 1);
