// expect: stage\W+p\W*u\W*t\W+reads\W+window\W+(minus\W+|number\W+)?1\W+(minus\W+|number\W+)?1\W+of\W+buffer\W+x\W+the\W+first\W+offset\W+must\W+not_?\W+exceed\W+the\W+last
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using around = window<1, -1>;
#else
using around = window<-1, 1>;
#endif
using line = pipeline<buffer<"x", float[256], depth<4>>, stage<"get", async, writes<"x">>,
                      stage<"put", async, reads<"x", around>>>;
static_assert(accepted<line>);
