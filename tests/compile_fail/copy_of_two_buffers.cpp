// expect: async\W+stage\W+r\W*e\W*a\W*d\W+writes\W+2\W+buffers\W+a\W+copy\W+moves\W+one\W+slot\W+give\W+each\W+buffer\W+a\W+stage\W+of\W+its\W+own
#include <penstock/run/run.hpp>

using namespace penstock;
using x = buffer<"x", int[64], depth<2>>;
using y = buffer<"y", int[64], depth<2>>;
using add = stage<"add", penstock::sync, reads<"x">, reads<"y">>;
#if defined(PENSTOCK_TEST_FIXED)
using line = pipeline<x, y, stage<"read", async, writes<"x">>, stage<"read y", async, writes<"y">>, add>;
#else
using line = pipeline<x, y, stage<"read", async, writes<"x">, writes<"y">>, add>;
#endif

void sum(const int* in, int* out) {
  run<line>(4, on<"read">([=](long long i) { return from(in + i * 64); }),
#if defined(PENSTOCK_TEST_FIXED)
            on<"read y">([=](long long i) { return from(in + i * 64); }),
#endif
            on<"add">([=](auto, auto& a, auto& b, long long i) { out[i] = a[0] + b[0]; }));
}
