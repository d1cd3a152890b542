// expect: buffer\W+x\W+is\W+written\W+but\W+no\W+stage\W+reads\W+it
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using put = stage<"put", async>;
#else
using put = stage<"put", async, reads<"x">>;
#endif
using line = pipeline<buffer<"x", float[256], depth<2>>, stage<"get", async, writes<"x">>, put>;
static_assert(accepted<line>);
