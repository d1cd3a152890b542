// expect: an agent has 1 to 32 warps, or 0 for as many as the mapping gives
// expect: a mapping gives a compute agent 1 to 32 warps
#include <penstock/lower/mapping.hpp>
#include <penstock/plan/declare.hpp>

using namespace penstock;

#if defined(PENSTOCK_TEST_FIXED)
constexpr int most = 32, fewest = 1;
#else
constexpr int most = 33, fewest = 0;
#endif

static_assert(sizeof(agent<"many", most>) > 0);
static_assert(sizeof(uniform<fewest>) > 0);
