// expect: what to\(\.\.\.\) names is written, so it must not be const
// expect: behind n or next, run takes an on<.?"stage.?">\(function\) for each stage, and nothing else
#include <penstock/run/options.hpp>

using namespace penstock;
struct line : pipeline<buffer<"b", int[64], depth<2>>, stage<"read", async, writes<"b">>,
                       stage<"write", async, reads<"b">>> {};

using read_bound = decltype(on<"read">([](long long) { return from(static_cast<const int*>(nullptr)); }));
#if defined(PENSTOCK_TEST_FIXED)
using target = int*;
using write_bound = decltype(on<"write">([](long long) { return to(target{}); }));
#else
using target = const int*;
using write_bound = range (*)(long long);
#endif

inline const auto written = to(target{});
static_assert(sizeof(detail::accepted_run<line, sequential, backend::host, read_bound, write_bound>) > 0);
