// expect: a\W+body\W+is\W+bound\W+to\W+stage\W+g\W*o\W*t\W+which\W+the\W+pipeline\W+does\W+not_?\W+declare\W+it\W+declares\W+g\W*e\W*t\W+(named\W+)?a\W*d\W*d
#include <penstock/plan/bindings.hpp>

using namespace penstock;

using line = pipeline<buffer<"x", float[256], depth<2>>, stage<"get", async, writes<"x">>,
                      stage<"add", sync, reads<"x">>>;

#ifndef PENSTOCK_TEST_FIXED
inline constexpr name first = "got";
#else
inline constexpr name first = "get";
#endif
static_assert(accepted_bindings<line, first, name("add")>);
