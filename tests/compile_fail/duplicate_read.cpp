// expect: stage\W+p\W*u\W*t\W+reads\W+buffer\W+x\W+twice\W+give\W+it\W+one\W+read\W+with\W+one\W+window
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using put = stage<"put", async, reads<"x">, reads<"x", window<-1, -1>>>;
#else
using put = stage<"put", async, reads<"x", window<-1, 0>>>;
#endif
using line = pipeline<buffer<"x", float[256], depth<3>>, stage<"get", async, writes<"x">>, put>;
static_assert(accepted<line>);
