// expect: a\W+slot\W+of\W+buffer\W+x\W+is\W+aligned\W+to\W+256\W+bytes\W+hopper\W+aligns\W+slots\W+to\W+at\W+most\W+128
#include <penstock/plan/reject.hpp>

using namespace penstock;

struct small_target {
  static constexpr target_limits limits{.name = "hopper", .shared_bytes = 3 * 1024};
  static constexpr slot_limits slots{.name = "hopper", .multiple = 16, .alignment = 128};
};

#ifndef PENSTOCK_TEST_FIXED
struct alignas(256) tile { float values[64]; };
#else
struct alignas(128) tile { float values[64]; };
#endif
using line = pipeline<buffer<"x", tile, depth<2>>, stage<"add", sync, writes<"x">>, stage<"set", sync, reads<"x">>>;
static_assert(accepted<line, small_target>);
