// expect: the\W+body\W+of\W+stage\W+p\W*u\W*t\W+must\W+return_?\W+what\W+to\W+copy\W+to
#include <penstock/run/run.hpp>

using namespace penstock;

using line = pipeline<buffer<"x", float[64], depth<2>>, stage<"get", async, writes<"x">>,
                      stage<"put", async, reads<"x">>>;

void copy(const float* in, float* out, long long n) {
  run<line>(n, on<"get">([&](long long i) { return from(in + i * 64); }),
#ifndef PENSTOCK_TEST_FIXED
            on<"put">([&](long long i) { return from(out + i * 64); }));
#else
            on<"put">([&](long long i) { return to(out + i * 64); }));
#endif
}
