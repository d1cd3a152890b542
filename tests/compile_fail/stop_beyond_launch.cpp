// expect: the\W+run\W+takes\W+19008\W+bytes\W+of\W+shared\W+memory\W+but\W+its\W+launch\W+gives\W+it\W+(number\W+)?18864\W+declare\W+that\W+these\W+stages\W+may_stop\W+(named\W+)?j\W*u\W*d\W*g\W*e
#include <penstock/run/run.hpp>

using namespace penstock;

// two compute agents that share no data: one learns from the other's signals alone whether the run goes on
template <class... Declared>
using two = pipeline<buffer<"a", float[128], depth<16>>, buffer<"b", float[128], depth<16>>,
                     buffer<"c", float[128], depth<4>>, stage<"gen", penstock::sync, agent<"x", 4>, writes<"a">>,
                     stage<"judge", penstock::sync, agent<"x", 4>, reads<"a">, Declared...>,
                     stage<"read", async, writes<"b">>,
                     stage<"use", penstock::sync, agent<"y", 4>, reads<"b">, writes<"c">>,
                     stage<"write", async, reads<"c">>>;

constexpr unsigned long long judge = 1ull << 1;
#if defined(PENSTOCK_TEST_FIXED)
using line = two<may_stop>;
#else
using line = two<>;
#endif
static_assert(detail::accepted_storage<line, specialised<>, backend::hopper, judge>);
// in one agent of all warps nobody learns of it by a signal
static_assert(detail::accepted_storage<two<>, uniform<>, backend::hopper, judge>);
