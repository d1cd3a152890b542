// expect: require_async\W+stage\W+r\W*e\W*a\W*d\W+is\W+declared\W+async\W+but\W+is\W+not_?\W+async\W+on\W+host
#include <penstock/run/persistent.hpp>

using namespace penstock;
struct line : pipeline<buffer<"b", int[64], depth<2>>, stage<"read", async, writes<"b">>,
                       stage<"write", async, reads<"b">>> {};

#if defined(PENSTOCK_TEST_FIXED)
using option = sequential;
#else
using option = require_async;
#endif

static_assert(sizeof(persistent<line, option>) > 0);
