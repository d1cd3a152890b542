// expect: the\W+buffers\W+take\W+4096\W+bytes\W+of\W+shared\W+memory\W+hopper\W+has\W+3072\W+a\W+block
#include <penstock/plan/reject.hpp>

using namespace penstock;

struct small_target {
  static constexpr target_limits limits{.name = "hopper", .shared_bytes = 3 * 1024};
  static constexpr slot_limits slots{.name = "hopper", .multiple = 16, .alignment = 128};
};

#ifndef PENSTOCK_TEST_FIXED
using x = buffer<"x", float[256], depth<4>>;
#else
using x = buffer<"x", float[256], depth<3>>;
#endif
using line = pipeline<x, stage<"get", async, writes<"x">>, stage<"put", async, reads<"x">>>;
static_assert(accepted<line, small_target>);
