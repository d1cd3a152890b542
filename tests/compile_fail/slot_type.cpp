// expect: a buffer's slot is moved as bytes, so its type must be trivially copyable
#include <penstock/plan/reject.hpp>

using namespace penstock;

struct counter {
#ifndef PENSTOCK_TEST_FIXED
  counter(const counter& other) : value(other.value) {}
#endif
  int value;
};
using line = pipeline<buffer<"x", counter[16], depth<2>>, stage<"get", async, writes<"x">>,
                      stage<"put", async, reads<"x">>>;
static_assert(accepted<line>);
