// expect: the\W+body\W+of\W+stage\W+g\W*e\W*t\W+cannot\W+be\W+called\W+with\W+what\W+it\W+gets\W+the\W+iteration
#include <penstock/plan/bindings.hpp>

using namespace penstock;

using in = buffer<"in", float[256], depth<2>>;
using out = buffer<"out", float[256], depth<2>>;
using get = stage<"get", async, writes<"in">>;
using add = stage<"add", sync, writes<"out">, reads<"in", window<-1, 0>>>;
using put = stage<"put", async, reads<"out">>;
using line = pipeline<in, out, get, add, put>;
static_assert(accepted<line>);

#ifndef PENSTOCK_TEST_FIXED
inline constexpr auto body = [] { return 0; };
#else
inline constexpr auto body = [](int iteration) { return iteration; };
#endif
static_assert(accepted_parameters<get, body_kind::copy_in, std::is_invocable_v<decltype(body)&, int>>);
