// expect: a source returns a number: the next item, or no_more
#include <penstock/run/run.hpp>

#include <optional>

using namespace penstock;
struct line : pipeline<buffer<"b", int[64], depth<2>>, stage<"read", async, writes<"b">>,
                       stage<"use", penstock::sync, reads<"b">>> {};

#if defined(PENSTOCK_TEST_FIXED)
using item = int;
#else
using item = std::optional<int>;
#endif

void use(const int* in) {
  run<line>([]() -> item { return -1; }, on<"read">([=](int i) { return from(in + i * 64); }),
            on<"use">([](auto, const auto&, int) {}));
}
