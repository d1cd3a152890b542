// How a run ended.
#pragma once

namespace penstock {

struct run_result {
  long long iterations = 0;  // computed and written
  bool stopped = false;      // a body said stop
};

}  // namespace penstock
