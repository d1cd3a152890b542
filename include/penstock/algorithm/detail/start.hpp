// Starting plain kernels: grids of any size, errors as exceptions, nothing allocated and nothing synchronised.
#pragma once

#include <penstock/algorithm/arguments.hpp>
#include <penstock/algorithm/policy.hpp>

#include <cuda_runtime_api.h>

#include <utility>

namespace penstock::detail {

inline int current_device() {
  int device = 0;
  check(cudaGetDevice(&device), "there is no usable CUDA device");
  return device;
}

inline int compute_capability(int device) {
  int major = 0, minor = 0;
  check(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "cannot query the device");
  check(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "cannot query the device");
  return major * 10 + minor;
}

inline int processors(int device) {
  int count = 0;
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cannot query the device");
  return count;
}

constexpr long long ceil_div(long long a, long long b) { return a / b + (a % b != 0 ? 1 : 0); }

// Blocks for `items` of `per_block` each; at least one, for whatever lies beside the items.
inline unsigned grid_for(long long items, long long per_block, const char* what) {
  constexpr long long most = 0x7fffffff;
  const long long blocks = ceil_div(items, per_block);
  if (blocks > most)
    refuse(std::errc::value_too_large, std::string(what) + " would need " + std::to_string(blocks) +
                                           " blocks; a grid has at most " + std::to_string(most));
  return blocks < 1 ? 1u : static_cast<unsigned>(blocks);
}

struct grid_shape {
  unsigned blocks = 1;
  int threads = 256;
  long long shared_bytes = 0;
  bool overlaps_previous = false;  // may start before the previous grid of the stream ends; waits for it by itself
};

template <class... Parameters, class... Arguments>
void start(cudaStream_t stream, const grid_shape& shape, const char* what, void (*kernel)(Parameters...),
           Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "one argument for each parameter of the kernel");
  cudaLaunchAttribute early{};
  early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  early.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(shape.blocks);
  config.blockDim = dim3(static_cast<unsigned>(shape.threads));
  config.dynamicSmemBytes = static_cast<std::size_t>(shape.shared_bytes);
  config.stream = stream;
  config.attrs = &early;
  config.numAttrs = shape.overlaps_previous ? 1 : 0;
  check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(std::forward<Arguments>(arguments))...), what);
}

}  // namespace penstock::detail
