// expect: stage\W+p\W*u\W*t\W+names\W+buffer\W+y\W+which\W+the\W+pipeline\W+does\W+not_?\W+declare\W+it\W+declares\W+x
#include <penstock/plan/json.hpp>

using namespace penstock;

#ifndef PENSTOCK_TEST_FIXED
using put = stage<"put", async, reads<"y">>;
#else
using put = stage<"put", async, reads<"x">>;
#endif
using line = pipeline<buffer<"x", float[256], depth<2>>, stage<"get", async, writes<"x">>, put>;
inline const std::string text = plan_json<line>();
