// expect: async\W+stage\W+t\W*i\W*c\W*k\W+neither\W+reads\W+nor\W+writes\W+a\W+buffer\W+it\W+must\W+declare\W+what\W+it\W+moves
#include <penstock/run/run.hpp>

using namespace penstock;
using b = buffer<"b", int[64], depth<2>>;
#if defined(PENSTOCK_TEST_FIXED)
using line = pipeline<b, stage<"tick", async, writes<"b">>, stage<"write", async, reads<"b">>>;
#else
using line = pipeline<b, stage<"tick", async>, stage<"read", penstock::sync, writes<"b">>,
                      stage<"write", async, reads<"b">>>;
#endif

void copy(const int* in, int* out) {
  run<line>(4, on<"tick">([=](long long i) { return from(in + i * 64); }),
#if !defined(PENSTOCK_TEST_FIXED)
            on<"read">([=](auto, auto& slot, long long i) { for (int k = 0; k < 64; ++k) slot[k] = in[i * 64 + k]; }),
#endif
            on<"write">([=](long long i) { return to(out + i * 64); }));
}
