// expect: two\W+buffers\W+are\W+named\W+x\W+give\W+each\W+its\W+own\W+name
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
inline constexpr name second = "x";
#else
inline constexpr name second = "y";
#endif
using line = pipeline<buffer<"x", float[256], depth<2>>, buffer<second, float[256], depth<2>>,
                      stage<"get", async, writes<"x">, writes<second>>,
                      stage<"put", async, reads<"x">, reads<second>>>;
static_assert(accepted<line>);
