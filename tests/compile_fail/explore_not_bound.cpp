// expect: stage\W+a\W*d\W*d\W+is\W+not_?\W+bound\W+give\W+it\W+a\W+body
#include <penstock/check/explore.hpp>

using namespace penstock;

using line = pipeline<buffer<"x", float[256], depth<2>>, stage<"get", async, writes<"x">>,
                      stage<"add", penstock::sync, reads<"x">>>;
inline constexpr auto get = on<"get">([](long long) { return from(static_cast<const float*>(nullptr)); });
inline constexpr auto add = on<"add">([](auto, const auto&, long long) {});

#ifndef PENSTOCK_TEST_FIXED
inline const auto found = check::explore<line>(4, get);
#else
inline const auto found = check::explore<line>(4, get, add);
#endif
