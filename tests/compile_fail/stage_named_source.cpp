// expect: a run with a source adds a stage 'source' and a buffer 'next item': give the pipeline's own other names
#include <penstock/run/run.hpp>

using namespace penstock;
#if defined(PENSTOCK_TEST_FIXED)
inline constexpr name first{"read"};
#else
inline constexpr name first{"source"};
#endif
using line = pipeline<buffer<"b", int[64], depth<2>>, stage<first, async, writes<"b">>, stage<"write", async, reads<"b">>>;

void copy(const int* in, int* out) {
  long long k = 0;
  run<line>([&]() -> long long { return k < 4 ? k++ : no_more; },
            on<first>([=](long long i) { return from(in + i * 64); }),
            on<"write">([=](long long i) { return to(out + i * 64); }));
}
