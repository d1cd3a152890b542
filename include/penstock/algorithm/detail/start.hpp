// Starting plain kernels: grids of any size, errors as exceptions, nothing allocated and nothing synchronised.
#pragma once

#include <penstock/algorithm/arguments.hpp>
#include <penstock/algorithm/policy.hpp>
#include <penstock/arch/grids.hpp>
#include <penstock/run/launch.hpp>
#include <penstock/run/launched.hpp>

#include <cuda_runtime_api.h>

#include <utility>

namespace penstock::detail {

inline int compute_capability(int device) {
  int major = 0, minor = 0;
  require_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device), "cannot query the device");
  require_cuda(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device), "cannot query the device");
  return major * 10 + minor;
}

inline int processors(int device) {
  int count = 0;
  require_cuda(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cannot query the device");
  return count;
}

constexpr long long ceil_div(long long a, long long b) { return a / b + (a % b != 0 ? 1 : 0); }

inline constexpr long long most_blocks = 0x7fffffff;  // of a grid

// Blocks for `items` of `per_block` each; at least one, for whatever lies beside the items.
inline unsigned grid_for(long long items, long long per_block, const char* what) {
  const long long blocks = ceil_div(items, per_block);
  if (blocks > most_blocks)
    refuse(std::errc::value_too_large, std::string(what) + " would need " + std::to_string(blocks) +
                                           " blocks; a grid has at most " + std::to_string(most_blocks));
  return blocks < 1 ? 1u : static_cast<unsigned>(blocks);
}

// The first thing each of these kernels does. Its grid may have been launched while the one before it still ran, which
// saves the time that launching takes; and it lets the next one be, where it is short enough for that to matter.
__device__ __forceinline__ void begin_grid() {
  constexpr unsigned short_grid = 4096;  // blocks: some waves
  arch::native_grids::wait_for_previous();
  if (gridDim.x <= short_grid) arch::native_grids::let_next_start();
}

// Asked of the driver once per thread, kernel and device.
inline bool waits_for_previous(const void* kernel, int device) {
  struct answer {
    const void* kernel = nullptr;
    int device = -1;
    bool waits = false;
  };
  static thread_local answer known[64];
  answer& a = known[reinterpret_cast<std::uintptr_t>(kernel) / 16 % 64];
  if (a.kernel != kernel || a.device != device)
    a = answer{kernel, device, arch::grids_wait(compiled_backend(kernel, device))};
  return a.waits;
}

struct grid_shape {
  unsigned blocks = 1;
  int threads = 256;
};

// Every kernel started here calls begin_grid.
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
  config.stream = stream;
  config.attrs = &early;
  const int device = current_device();
  config.numAttrs = waits_for_previous(reinterpret_cast<const void*>(kernel), device) ? 1 : 0;
  require_launched(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(std::forward<Arguments>(arguments))...), what);
}

}  // namespace penstock::detail
