// expect: two\W+stages\W+are\W+named\W+g\W*e\W*t\W+give\W+each\W+its\W+own\W+name
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
inline constexpr name last = "get";
#else
inline constexpr name last = "put";
#endif
using line = pipeline<buffer<"x", float[256], depth<2>>, stage<"get", async, writes<"x">>,
                      stage<last, async, reads<"x">>>;
static_assert(accepted<line>);
