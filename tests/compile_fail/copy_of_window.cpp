// expect: async\W+stage\W+w\W*r\W*i\W*t\W*e\W+reads\W+window\W+(minus\W+)?1\W+(zero|0)\W+of\W+buffer\W+b\W+a\W+copy\W+moves\W+one\W+slot
#include <penstock/run/run.hpp>

using namespace penstock;
#if defined(PENSTOCK_TEST_FIXED)
using seen = window<-1, -1>;
#else
using seen = window<-1, 0>;
#endif
using line = pipeline<buffer<"b", int[64], depth<2>>, stage<"read", async, writes<"b">>,
                      stage<"write", async, reads<"b", seen>>>;

void copy(const int* in, int* out) {
  run<line>(4, on<"read">([=](long long i) { return from(in + i * 64); }),
            on<"write">([=](long long i) { return i == 0 ? to(out, 0) : to(out + i * 64); }));
}
