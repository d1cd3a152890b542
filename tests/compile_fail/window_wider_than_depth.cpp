// expect: stage\W+a\W*d\W*d\W+reads\W+window\W+(minus\W+|number\W+)?1\W+(minus\W+|number\W+)?1\W+of\W+buffer\W+x\W+(minus\W+|number\W+)?3\W+slots\W+but\W+its\W+depth\W+is\W+2\W+the\W+smallest\W+depth\W+that\W+works\W+is\W+3
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using x = buffer<"x", float[256], depth<2>>;
#else
using x = buffer<"x", float[256], depth<3>>;
#endif
using line = pipeline<x, stage<"get", async, writes<"x">>, stage<"add", sync, reads<"x", window<-1, 1>>>>;
static_assert(accepted<line>);
