// expect: stage\W+a\W*d\W*d\W+is\W+not_?\W+bound\W+give\W+it\W+a\W+body
#include <penstock/plan/bindings.hpp>

using namespace penstock;

using line = pipeline<buffer<"x", float[256], depth<2>>, stage<"get", async, writes<"x">>,
                      stage<"add", sync, reads<"x">>>;

#ifndef PENSTOCK_TEST_FIXED
static_assert(accepted_bindings<line, name("get")>);
#else
static_assert(accepted_bindings<line, name("get"), name("add")>);
#endif
