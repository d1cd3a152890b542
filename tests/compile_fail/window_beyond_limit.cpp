// expect: stage\W+a\W*d\W*d\W+reads\W+window\W+(minus\W+)?65\W+(zero|0)\W+of\W+buffer\W+x\W+outside\W+(minus\W+|number\W+)?64\W+to\W+(number\W+)?64
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using far = window<-65, 0>;
#else
using far = window<-64, 0>;
#endif
using line = pipeline<buffer<"x", float[16], depth<66>>, stage<"get", async, writes<"x">>,
                      stage<"add", sync, reads<"x", far>>>;
static_assert(accepted<line>);
