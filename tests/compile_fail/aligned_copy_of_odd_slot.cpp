// expect: from_aligned and to_aligned move slots of a multiple of 16 bytes; from and to move any
#include <penstock/run/run.hpp>

using namespace penstock;
#if defined(PENSTOCK_TEST_FIXED)
using slot = float[4];
#else
using slot = float[5];
#endif
using line = pipeline<buffer<"b", slot, depth<2>>, stage<"read", async, writes<"b">>, stage<"write", async, reads<"b">>>;

void copy(const float* in, float* out) {
  run<line>(4, on<"read">([=](long long i) { return from_aligned(in + i * 4); }),
            on<"write">([=](long long i) { return to_aligned(out + i * 4); }));
}
