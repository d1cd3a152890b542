// expect: a box is larger than its slot
#include <penstock/run/run.hpp>
#include <penstock/run/tensor_map.hpp>

using namespace penstock;
using line = pipeline<buffer<"b", float[8][16], depth<2>>, stage<"read", async, writes<"b">>,
                      stage<"write", async, reads<"b">>>;

#if defined(PENSTOCK_TEST_FIXED)
using box = float[8][16];
#else
using box = float[9][16];
#endif

void copy(const tiled<box, 2>& in, const tiled<box, 2>& out) {
  run<line>(4, on<"read">([&](long long i) { return from(in, 8 * i, 0); }),
            on<"write">([&](long long i) { return to(out, 8 * i, 0); }));
}
