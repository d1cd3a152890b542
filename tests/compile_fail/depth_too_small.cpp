// expect: buffer\W+x\W+has\W+depth\W+2\W+the\W+smallest\W+depth\W+that\W+works\W+is\W+3\W+cycle\W+of\W+distance\W+(zero|0)\W+(named\W+)?a\W*d\W*d\W+(then\W+)?(named\W+)?g\W*e\W*t\W+WAR\W+on\W+x\W+(minus\W+|number\W+)?2\W+(then\W+)?(named\W+)?a\W*d\W*d\W+program\W+order\W+(minus\W+|number\W+)?2
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using x = buffer<"x", float[256], depth<2>>;
#else
using x = buffer<"x", float[256], depth<3>>;
#endif
using line = pipeline<x, stage<"get", sync, agent<"all">, writes<"x">>,
                      stage<"add", sync, agent<"all">, skew<2>, reads<"x">>>;
static_assert(accepted<line>);
