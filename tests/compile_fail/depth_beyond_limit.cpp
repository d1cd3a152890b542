// expect: buffer\W+x\W+has\W+depth\W+65537\W+a\W+ring\W+has\W+1\W+to\W+65536\W+slots
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using x = buffer<"x", float[256], depth<65537>>;
#else
using x = buffer<"x", float[256], depth<65536>>;
#endif
using line = pipeline<x, stage<"get", async, writes<"x">>, stage<"put", async, reads<"x">>>;
static_assert(accepted<line>);
