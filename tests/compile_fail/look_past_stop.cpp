// expect: stage\W+s\W*u\W*m\W+looks\W+1\W+ahead\W+in\W+buffer\W+y\W+which\W+the\W+body\W+of\W+stage\W+a\W*d\W*d\W+writes\W+but\W+stage\W+e\W*n\W*d\W+can\W+stop\W+before\W+that
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using around = window<0, 1>;
#else
using around = window<-1, 0>;
#endif
using line = pipeline<buffer<"x", float[256], depth<4>>, buffer<"y", float[256], depth<4>>,
                      stage<"get", async, writes<"x">>, stage<"add", sync, reads<"x">, writes<"y">>,
                      stage<"sum", sync, reads<"y", around>>, stage<"end", sync, may_stop, reads<"x">>>;
static_assert(accepted<line>);
