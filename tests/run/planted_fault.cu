// Not a test of penstock but of the tools that watch it: a three-stage pipeline from whose table one wait was taken.
// Run it under compute-sanitizer --tool racecheck, compiled with every lane arriving: the tool must object.
#include <penstock/lower/lower.hpp>

template <class Mapping, class Table>
constexpr Table without_first_data_wait(Table t) {
  for (auto& agent : t.agents) {
    for (int k = 0; k < agent.loop.size(); ++k) {
      const bool waits = agent.loop[k].what == penstock::op::wait_signal && agent.loop[k].distance == 0 &&
                         t.engines[agent.loop[k].stage] == penstock::engine_kind::body;
      if (!waits) continue;
      for (int m = k; m + 1 < agent.loop.size(); ++m) agent.loop[m] = agent.loop[m + 1];
      --agent.loop.count;
      return t;
    }
  }
  return t;
}
#define PENSTOCK_MUTATION without_first_data_wait
#include "run/cases.hpp"

#include <penstock/run/launch.hpp>

#include <cstdio>

using faulty = cases::three<4, 2>;

__global__ void kernel(const cases::word* in, cases::word* out, long long n) {
  __shared__ penstock::run_result results[1024];
  faulty::run<penstock::specialised<2>>({in, nullptr, out, n, -1, 0, &results[threadIdx.x]});
}

int main() {
  constexpr long long n = 12;
  cases::word *in = nullptr, *out = nullptr;
  if (cudaMalloc(&in, n * cases::tile_words * 4) != cudaSuccess || cudaMalloc(&out, n * cases::tile_words * 4) != cudaSuccess) {
    std::puts("skipped: no CUDA device");
    return 77;
  }
  cudaMemset(in, 1, n * cases::tile_words * 4);
  penstock::launch<faulty::line, penstock::specialised<2>>(nullptr, 1, kernel, in, out, n);
  std::puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
