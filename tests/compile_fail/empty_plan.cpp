// expect: the\W+plan\W+has\W+no\W+stages\W+a\W+pipeline\W+needs\W+at\W+least\W+one
#include <penstock/plan/reject.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using line = pipeline<>;
#else
using line = pipeline<stage<"sum", sync>>;
#endif
static_assert(accepted<line>);
