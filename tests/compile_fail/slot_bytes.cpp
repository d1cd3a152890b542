// expect: async\W+stage\W+g\W*e\W*t\W+moves\W+slots\W+of\W+buffer\W+x\W+of\W+12\W+bytes\W+hopper\W+copies\W+a\W+multiple\W+of\W+16\W+bytes
#include <penstock/plan/reject.hpp>

using namespace penstock;

struct small_target {
  static constexpr target_limits limits{.name = "hopper", .shared_bytes = 3 * 1024};
  static constexpr slot_limits slots{.name = "hopper", .multiple = 16, .alignment = 128};
};

#ifndef PENSTOCK_TEST_FIXED
using slot = float[3];
#else
using slot = float[4];
#endif
using line = pipeline<buffer<"x", slot, depth<4>>, stage<"get", async, writes<"x">>, stage<"put", sync, reads<"x">>>;
static_assert(accepted<line, small_target>);
