// expect: the\W+depth\W+of\W+buffer\W+x\W+is\W+automatic\W+but\W+no\W+stage\W+states\W+a\W+time\W+that\W+occupies\W+its\W+agent\W+give\W+the\W+stages\W+timing
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using get = stage<"get", async, writes<"x">>;
#else
using get = stage<"get", async, writes<"x">, timing<100, 700>>;
#endif
using line = pipeline<buffer<"x", float[256], depth<automatic>>, get, stage<"put", async, reads<"x">>>;
static_assert(accepted<line>);
