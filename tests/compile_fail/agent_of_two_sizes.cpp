// expect: agent\W+w\W+has\W+2\W+warps\W+for_?\W+stage\W+g\W*e\W*t\W+but\W+4\W+for_?\W+a\W*d\W*d\W+state\W+one\W+number
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using other = agent<"w", 4>;
#else
using other = agent<"w">;
#endif
using line = pipeline<buffer<"x", float[16], depth<2>>, stage<"get", sync, agent<"w", 2>, writes<"x">>,
                      stage<"add", sync, other, reads<"x">>>;
static_assert(accepted<line>);
