// expect: buffer\W+y\W+is\W+neither\W+read\W+nor\W+written\W+by\W+any\W+stage
#include <penstock/plan/reject.hpp>

using namespace penstock;

using x = buffer<"x", float[256], depth<2>>;
using get = stage<"get", async, writes<"x">>;
using put = stage<"put", async, reads<"x">>;
#ifndef PENSTOCK_TEST_FIXED
using line = pipeline<x, buffer<"y", float[256], depth<2>>, get, put>;
#else
using line = pipeline<x, get, put>;
#endif
static_assert(accepted<line>);
