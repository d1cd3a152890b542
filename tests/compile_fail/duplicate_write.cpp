// expect: stage\W+s\W*u\W*m\W+writes\W+buffer\W+x\W+twice\W+name\W+it\W+once
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using sum = stage<"sum", sync, updates<"x">, writes<"x">>;
#else
using sum = stage<"sum", sync, updates<"x">>;
#endif
using line = pipeline<buffer<"x", float[256], depth<3>>, stage<"get", async, writes<"x">>, sum>;
static_assert(accepted<line>);
