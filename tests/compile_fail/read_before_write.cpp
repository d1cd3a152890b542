// expect: stage\W+p\W*u\W*t\W+reads\W+buffer\W+x\W+at\W+offset\W+(zero|0)\W+before\W+any\W+stage\W+declared\W+earlier\W+writes\W+it
#include <penstock/plan/reject.hpp>

using namespace penstock;

using x = buffer<"x", float[256], depth<2>>;
using get = stage<"get", async, writes<"x">>;
using put = stage<"put", async, reads<"x">>;
#ifndef PENSTOCK_TEST_FIXED
using line = pipeline<x, put, get>;
#else
using line = pipeline<x, get, put>;
#endif
static_assert(accepted<line>);
