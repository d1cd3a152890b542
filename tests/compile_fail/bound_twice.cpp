// expect: stage\W+g\W*e\W*t\W+is\W+bound\W+twice\W+give\W+it\W+one\W+body
#include <penstock/plan/bindings.hpp>

using namespace penstock;

using line = pipeline<buffer<"x", float[256], depth<2>>, stage<"get", async, writes<"x">>,
                      stage<"add", sync, reads<"x">>>;

#ifndef PENSTOCK_TEST_FIXED
static_assert(accepted_bindings<line, name("get"), name("add"), name("get")>);
#else
static_assert(accepted_bindings<line, name("get"), name("add")>);
#endif
