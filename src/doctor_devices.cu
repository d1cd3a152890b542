// Asks the CUDA runtime; compiled as C++ where the build has no CUDA.
#include "doctor.hpp"

#if defined(__CUDACC__)

#include <cuda_runtime.h>

namespace penstock::command {
namespace {

// Compiled for every target of this build, so what the runtime says of it holds for all kernels.
__global__ void probe() {}

int attribute(cudaDeviceAttr which, int index) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, index) == cudaSuccess ? value : 0;
}

device examine_device(int index) {
  device d;
  cudaDeviceProp properties{};
  cudaError_t error = cudaGetDeviceProperties(&properties, index);
  if (error == cudaSuccess) {
    d.name = properties.name;
    d.memory_bytes = properties.totalGlobalMem;
  }
  d.capability =
      attribute(cudaDevAttrComputeCapabilityMajor, index) * 10 + attribute(cudaDevAttrComputeCapabilityMinor, index);
  d.multiprocessors = attribute(cudaDevAttrMultiProcessorCount, index);
  d.shared_bytes_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, index);
  d.shared_bytes_multiprocessor = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, index);
  if (error == cudaSuccess) error = cudaSetDevice(index);
  cudaFuncAttributes code{};
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&code, probe);
  if (error == cudaSuccess) {
    // code that was assembled ahead of time keeps the target it was assembled for, whatever the device
    d.code_capability = code.ptxVersion;
    d.translated = code.binaryVersion != code.ptxVersion;
  } else if (error != cudaErrorNoKernelImageForDevice && error != cudaErrorInvalidDeviceFunction) {
    d.trouble = cudaGetErrorString(error);
  }
  cudaGetLastError();  // the next device starts clean
  return d;
}

}  // namespace

machine examine_machine() {
  machine m;
  m.built_with_cuda = true;
  cudaRuntimeGetVersion(&m.runtime_version);
  cudaDriverGetVersion(&m.driver_version);
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess && error != cudaErrorNoDevice) m.trouble = cudaGetErrorString(error);
  for (int i = 0; error == cudaSuccess && i < count; ++i) m.devices.push_back(examine_device(i));
  return m;
}

}  // namespace penstock::command

#else

namespace penstock::command {

machine examine_machine() { return {}; }

}  // namespace penstock::command

#endif
