// expect: buffer\W+x\W+is\W+read\W+but\W+no\W+stage\W+writes\W+it
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using get = stage<"get", async>;
#else
using get = stage<"get", async, writes<"x">>;
#endif
using line = pipeline<buffer<"x", float[256], depth<2>>, get, stage<"put", async, reads<"x">>>;
static_assert(accepted<line>);
