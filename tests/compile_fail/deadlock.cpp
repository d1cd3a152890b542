// expect: these\W+stages\W+wait\W+for_?\W+each\W+other\W+cycle\W+of\W+distance\W+(zero|0)\W+must\W+be\W+positive\W+(named\W+)?a\W*d\W*d\W+(then\W+)?(named\W+)?g\W*e\W*t\W+program\W+order\W+(zero|0)\W+(then\W+)?(named\W+)?a\W*d\W*d\W+RAW\W+on\W+x\W+(zero|0)
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using add = stage<"add", sync, agent<"all">, order<-1>, reads<"x">>;
#else
using add = stage<"add", sync, agent<"all">, order<1>, reads<"x">>;
#endif
using line = pipeline<buffer<"x", float[256], depth<2>>, stage<"get", sync, agent<"all">, writes<"x">>, add>;
static_assert(accepted<line>);
