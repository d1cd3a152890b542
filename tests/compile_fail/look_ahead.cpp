// expect: stage\W+a\W*d\W*d\W+looks\W+1\W+ahead\W+in\W+buffer\W+x\W+which\W+the\W+later\W+stage\W+s\W*e\W*t\W+also\W+writes
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using around = window<0, 1>;
#else
using around = window<-1, 0>;
#endif
using line = pipeline<buffer<"x", float[256], depth<4>>, stage<"get", async, writes<"x">>,
                      stage<"add", sync, reads<"x", around>>, stage<"set", sync, writes<"x">>>;
static_assert(accepted<line>);
