// expect: async\W+stage\W+g\W*e\W*t\W+writes\W+1048576\W+bytes\W+an\W+iteration\W+one\W+barrier\W+phase\W+counts\W+at\W+most\W+1048575
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using slot = char[1 << 20];
#else
using slot = char[(1 << 20) - 16];
#endif
using line = pipeline<buffer<"x", slot, depth<2>>, stage<"get", async, writes<"x">>, stage<"put", async, reads<"x">>>;
static_assert(accepted<line>);
