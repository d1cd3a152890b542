// expect: the\W+body\W+of\W+stage\W+a\W*d\W*d\W+cannot\W+be\W+called\W+with\W+what\W+it\W+gets\W+a\W+group\W+buffer\W+o\W*u\W*t\W+buffer\W+i\W*n\W+the\W+iteration
#include <penstock/plan/bindings.hpp>

using namespace penstock;

using in = buffer<"in", float[256], depth<2>>;
using out = buffer<"out", float[256], depth<2>>;
using get = stage<"get", async, writes<"in">>;
using add = stage<"add", sync, writes<"out">, reads<"in", window<-1, 0>>>;
using put = stage<"put", async, reads<"out">>;
using line = pipeline<in, out, get, add, put>;
static_assert(accepted<line>);

struct group {};
#ifndef PENSTOCK_TEST_FIXED
inline constexpr auto body = [](auto&, auto&, int) {};
#else
inline constexpr auto body = [](group, auto&, auto&, int) {};
#endif
inline constexpr bool fits = std::is_invocable_v<decltype(body)&, group, float (&)[256], float (&)[256], int>;
static_assert(accepted_parameters<add, body_kind::compute, fits>);
