// main of every device test: exits 77, which Meson reports as skipped, where this executable's code cannot run.
#include <cstdio>

#include "support/run_doctest.hpp"

__global__ void probe() {}

int main(int argc, char** argv) {
  constexpr int skipped = 77;
  int devices = 0;
  const cudaError_t count_error = cudaGetDeviceCount(&devices);
  if (count_error != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "skipped: no CUDA device (%s)\n",
                 count_error != cudaSuccess ? cudaGetErrorString(count_error) : "none is visible");
    return skipped;
  }

  cudaFuncAttributes code{};
  const cudaError_t code_error = cudaFuncGetAttributes(&code, probe);
  if (code_error == cudaErrorNoKernelImageForDevice || code_error == cudaErrorUnsupportedPtxVersion) {
    std::fprintf(stderr, "skipped: device 0 runs no code built for sm_%d (%s)\n", PENSTOCK_TEST_TARGET,
                 cudaGetErrorString(code_error));
    return skipped;
  }
  if (code_error != cudaSuccess) {
    std::fprintf(stderr, "device 0 is not usable: %s\n", cudaGetErrorString(code_error));
    return 1;
  }
  // The name of the test promises a target; code for another would test another backend.
  if (code.ptxVersion != PENSTOCK_TEST_TARGET) {
    std::fprintf(stderr, "built for sm_%d, but the code that runs is for compute_%d\n", PENSTOCK_TEST_TARGET,
                 code.ptxVersion);
    return 1;
  }
  return run_doctest(argc, argv);
}
