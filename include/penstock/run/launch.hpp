// Launching kernels that run a pipeline: threads, shared memory and checks for the device at hand. Nothing here
// synchronises or allocates; what a kernel needs is asked of the driver once per device.
#pragma once

#include <penstock/run/error.hpp>
#include <penstock/run/persistent.hpp>

#if defined(__CUDACC__)

#include <penstock/run/launched.hpp>

#include <cuda_runtime_api.h>

#include <map>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

namespace penstock {

// What a block needs to run pipeline P on a backend.
struct launch_shape {
  backend target = backend::host;
  int threads = 0;
  long long shared_bytes = 0;
};

// Of a kernel compiled for `native`, or for what at_most<…> among the options leaves of that.
template <class P, class... Options>
constexpr launch_shape shape_of(backend native) {
  static_assert(requires { P::plan; }, "the first template argument of run and launch is a pipeline<...>");
  using mapping = typename detail::chosen<Options...>::mapping;
  const auto shape = [](auto tag) {
    using L = lowered<detail::pipeline_of<P, Options...>, mapping, decltype(tag)::value>;
    return launch_shape{decltype(tag)::value, L::threads, L::layout.bytes};
  };
  switch (detail::lower_of(native, detail::chosen<Options...>::ceiling)) {
    case backend::hopper: return shape(std::integral_constant<backend, backend::hopper>{});
    case backend::ampere: return shape(std::integral_constant<backend, backend::ampere>{});
    default: return shape(std::integral_constant<backend, backend::portable>{});
  }
}

namespace detail {

// The backend that this kernel's code for the current device was compiled for, after making sure that there is one.
inline backend compiled_backend(const void* kernel, int device) {
  cudaFuncAttributes attributes{};
  const cudaError_t code = cudaFuncGetAttributes(&attributes, kernel);
  if (code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction) {
    int major = 0, minor = 0;
    (void)cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    (void)cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    (void)cudaGetLastError();
    throw error(static_cast<int>(code), cuda_category(),
                "device " + std::to_string(device) + " has compute capability " + std::to_string(major) + "." +
                    std::to_string(minor) + ", for which this program holds no code; compile for compute_" +
                    std::to_string(major) + std::to_string(minor) + " or embed PTX of a lower one");
  }
  require_cuda(code, "cannot query the kernel");
  return backend_for(attributes.ptxVersion);
}

inline void admit_shared(const void* kernel, int device, long long bytes) {
  int limit = 0;
  require_cuda(cudaDeviceGetAttribute(&limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
               "cannot query the shared memory of the device");
  cudaFuncAttributes attributes{};
  require_cuda(cudaFuncGetAttributes(&attributes, kernel), "cannot query the kernel");
  const long long fixed = static_cast<long long>(attributes.sharedSizeBytes);
  if (bytes + fixed > limit)
    refuse(std::errc::not_enough_memory,
           "the pipeline needs " + std::to_string(bytes) + " bytes of shared memory a block and its kernel " +
               std::to_string(fixed) + " more; device " + std::to_string(device) + " has " + std::to_string(limit));
  if (bytes + fixed > 48 * 1024)  // the limit without asking holds for both together
    require_cuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
                 "cannot raise the kernel's limit of dynamic shared memory");
}

inline void admit_threads(const void* kernel, int threads) {
  cudaFuncAttributes attributes{};
  require_cuda(cudaFuncGetAttributes(&attributes, kernel), "cannot query the kernel");
  if (threads > attributes.maxThreadsPerBlock)
    refuse(std::errc::invalid_argument,
           "the pipeline runs with " + std::to_string(threads) +
               " threads a block, but this kernel's registers allow " + std::to_string(attributes.maxThreadsPerBlock) +
               "; give the mapping fewer warps or the kernel launch bounds");
}

}  // namespace detail

// The shape for the current device, checked and admitted. Cheap after the first call per kernel and device.
template <class P, class... Options>
launch_shape prepare(const void* kernel) {
  static std::mutex guard;
  static std::map<std::pair<const void*, int>, launch_shape> known;
  const int device = detail::current_device();
  const std::lock_guard lock(guard);
  if (const auto found = known.find({kernel, device}); found != known.end()) return found->second;
  const launch_shape shape = shape_of<P, Options...>(detail::compiled_backend(kernel, device));
  detail::admit_shared(kernel, device, shape.shared_bytes);
  detail::admit_threads(kernel, shape.threads);
  known[{kernel, device}] = shape;
  return shape;
}

template <class P, class... Options, class... Parameters>
launch_shape prepare(void (*kernel)(Parameters...)) {
  return prepare<P, Options...>(reinterpret_cast<const void*>(kernel));
}

// Blocks of this kernel that the current device holds at once.
template <class P, class... Options>
int resident_blocks(const void* kernel) {
  const launch_shape shape = prepare<P, Options...>(kernel);
  const int device = detail::current_device();
  int processors = 0, each = 0;
  require_cuda(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device), "cannot query the device");
  require_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, shape.threads,
                                                             static_cast<std::size_t>(shape.shared_bytes)),
               "cannot compute the kernel's occupancy");
  return each * processors;
}

template <class P, class... Options, class... Parameters>
int resident_blocks(void (*kernel)(Parameters...)) {
  return resident_blocks<P, Options...>(reinterpret_cast<const void*>(kernel));
}

// Launches kernel(arguments…) with `blocks` blocks of the shape that P needs, on `stream`.
template <class P, class... Options, class... Parameters, class... Arguments>
void launch(cudaStream_t stream, dim3 blocks, void (*kernel)(Parameters...), Arguments&&... arguments) {
  static_assert(sizeof...(Parameters) == sizeof...(Arguments), "one argument for each parameter of the kernel");
  const void* entry = reinterpret_cast<const void*>(kernel);
  const launch_shape shape = prepare<P, Options...>(entry);
  const auto start = [&](Parameters... values) {
    void* pointers[sizeof...(Parameters) + 1] = {const_cast<void*>(static_cast<const void*>(&values))..., nullptr};
    return cudaLaunchKernel(entry, blocks, dim3(static_cast<unsigned>(shape.threads)), pointers,
                            static_cast<std::size_t>(shape.shared_bytes), stream);
  };
  detail::require_launched(start(static_cast<Parameters>(std::forward<Arguments>(arguments))...),
                           "cannot launch the kernel");
}

}  // namespace penstock

#endif
