// Device code sees the version that host code sees.
#include <penstock/version.hpp>

#include <doctest/doctest.h>

__global__ void store_version(int* out) { *out = penstock::version; }

TEST_CASE("device code carries the headers' version") {
  int* stored = nullptr;
  REQUIRE(cudaMallocManaged(&stored, sizeof(int)) == cudaSuccess);
  *stored = -1;
  store_version<<<1, 1>>>(stored);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*stored == PENSTOCK_VERSION);
  CHECK(cudaFree(stored) == cudaSuccess);
}
