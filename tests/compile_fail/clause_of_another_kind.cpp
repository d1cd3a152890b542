// expect: after its name and mode a stage takes reads, writes, updates, agent, skew, order, timing and may_stop
// expect: a pipeline consists of buffer<\.\.\.> and stage<\.\.\.> types
#include <penstock/plan/declare.hpp>

using namespace penstock;

#if defined(PENSTOCK_TEST_FIXED)
using clause = reads<"x", window<0, 1>>;
using part = buffer<"y", float, depth<1>>;
#else
using clause = window<0, 1>;
using part = float;
#endif

static_assert(sizeof(stage<"look", penstock::sync, clause>) > 0);
static_assert(sizeof(pipeline<buffer<"x", float, depth<2>>, part>) > 0);
