// expect: stage\W+a\W*d\W*d\W+states\W+skew\W+268435456\W+outside\W+(minus\W+|number\W+)?131072\W+to\W+(number\W+)?131072
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using late = skew<1 << 28>;
#else
using late = skew<1>;
#endif
using line = pipeline<buffer<"x", float[16], depth<2>>, stage<"get", async, writes<"x">>,
                      stage<"add", sync, late, reads<"x">>>;
static_assert(accepted<line>);
