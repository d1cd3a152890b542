// Plans that several tests of the command read.
#pragma once

#include <string>

namespace plans {

// The example of the format: a stencil's three stages, each its own agent.
inline const std::string stencil = R"({"buffers":[{"name":"in","depth":4},{"name":"out","depth":2}],
 "stages":[{"name":"read","mode":"async","writes":["in"]},
           {"name":"compute","mode":"sync","reads":[{"buffer":"in","window":[-1,1]}],"writes":["out"]},
           {"name":"write","mode":"async","reads":["out"]}]})";

// Four stages with times; `axpy` works in place.
inline const std::string axpy = R"({"buffers":[{"name":"x","depth":4},{"name":"y","depth":4}],
 "stages":[{"name":"read x","mode":"async","writes":["x"],"issue":20,"latency":900},
           {"name":"read y","mode":"async","writes":["y"],"issue":20,"latency":900},
           {"name":"axpy","mode":"sync","reads":["x","y"],"writes":["y"],"latency":150},
           {"name":"write","mode":"async","reads":["y"],"issue":30,"latency":700}]})";

// One agent with skews and explicit order, all async.
inline std::string three_stages(int depth, bool async0, bool async1, bool async2) {
  const auto mode = [](bool async) { return std::string(async ? "async" : "sync"); };
  const std::string d = std::to_string(depth);
  return R"({"buffers":[{"name":"B","depth":)" + d + R"(},{"name":"C","depth":)" + d + R"(}],"stages":[)" +
         R"({"name":"S0","agent":"all","skew":0,"order":0,"mode":")" + mode(async0) + R"(","writes":["B"]},)" +
         R"({"name":"S1","agent":"all","skew":1,"order":1,"mode":")" + mode(async1) +
         R"(","reads":["B"],"writes":["C"]},)" + R"({"name":"S2","agent":"all","skew":2,"order":2,"mode":")" +
         mode(async2) + R"(","reads":["C"]}]})";
}

}  // namespace plans
