// expect: require_async\W+stage\W+r\W*e\W*a\W*d\W+is\W+declared\W+async\W+but\W+is\W+not_?\W+async\W+on\W+(host|portable)
#include <penstock/run/run.hpp>

using namespace penstock;
using line = pipeline<buffer<"b", int[64], depth<2>>, stage<"read", async, writes<"b">>, stage<"write", async, reads<"b">>>;

#if defined(PENSTOCK_TEST_FIXED)
using option = sequential;
#else
using option = require_async;
#endif

#if defined(__CUDACC__)
__global__
#endif
void copy(const int* in, int* out) {
  run<line, at_most<backend::portable>, option>(4, on<"read">([=](long long i) { return from(in + i * 64); }),
                                                on<"write">([=](long long i) { return to(out + i * 64); }));
}
