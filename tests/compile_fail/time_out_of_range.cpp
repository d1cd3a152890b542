// expect: stage\W+g\W*e\W*t\W+states\W+a\W+time\W+outside\W+(zero|0)\W+to\W+1000000000000\W+nanoseconds
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
inline constexpr long long latency = -700;
#else
inline constexpr long long latency = 700;
#endif
using line = pipeline<buffer<"x", float[256], depth<2>>, stage<"get", async, writes<"x">, timing<0, latency>>,
                      stage<"put", async, reads<"x">>>;
static_assert(accepted<line>);
