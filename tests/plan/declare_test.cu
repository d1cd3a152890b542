// nvcc works out the largest plans within its default limits, and device code reads what it worked out.
#include "plan/eight_by_eight.hpp"

#include <doctest/doctest.h>

using eight_by_eight::declared;

__global__ void copy_distances(int* out) {
  constexpr auto guards = eight_by_eight::guards<declared>.needed;
  for (int k = 0; k < guards.size(); ++k) out[k] = guards[k].distance;
}

TEST_CASE("device code sees the guards that host code sees") {
  const auto& guards = eight_by_eight::guards<declared>.needed;
  int* out = nullptr;
  REQUIRE(cudaMallocManaged(&out, sizeof(int) * std::size_t(guards.size())) == cudaSuccess);
  for (int k = 0; k < guards.size(); ++k) out[k] = -1000;
  copy_distances<<<1, 1>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (int k = 0; k < guards.size(); ++k) CHECK(out[k] == guards[k].distance);
  CHECK(cudaFree(out) == cudaSuccess);
}
