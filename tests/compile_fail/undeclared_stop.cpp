// expect: declare\W+that\W+these\W+stages\W+may_stop\W+(named\W+)?f\W*i\W*n\W*d\W
#include <penstock/run/run.hpp>

using namespace penstock;

template <class... Declared>
using search = pipeline<buffer<"keys", int[64], depth<2>>, stage<"read", async, writes<"keys">>,
                        stage<"find", penstock::sync, reads<"keys">, Declared...>>;
#if defined(PENSTOCK_TEST_FIXED)
using line = search<may_stop>;
#else
using line = search<>;
#endif

void find(const int* in) {
  persistent<line> finder;
  finder.run(4, on<"read">([=](long long i) { return from(in + i * 64); }),
             on<"find">([](auto, const auto&, long long) { return stop; }));
}
