// expect: the\W+body\W+of\W+stage\W+a\W*d\W*d\W+must\W+return_?\W+nothing\W+or_?\W+go\W+or_?\W+stop
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
inline constexpr auto body = [](int) { return 1; };
#else
inline constexpr auto body = [](int) {};
#endif
static_assert(accepted_result<add, body_kind::compute, std::is_void_v<decltype(body(0))>>);
