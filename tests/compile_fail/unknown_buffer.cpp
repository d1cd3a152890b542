// expect: stage\W+p\W*u\W*t\W+names\W+buffer\W+o\W*y\W*t\W+which\W+the\W+pipeline\W+does\W+not_?\W+declare\W+it\W+declares\W+i\W*n\W+(named\W+)?o\W*u\W*t
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using put = stage<"put", async, reads<"oyt">>;
#else
using put = stage<"put", async, reads<"out">>;
#endif
using line = pipeline<buffer<"in", float[256], depth<2>>, buffer<"out", float[256], depth<2>>,
                      stage<"get", async, writes<"in">>, stage<"add", sync, reads<"in">, writes<"out">>, put>;
static_assert(accepted<line>);
