// What the .cu files of the examples share: where a run takes place, memory on a GPU, and time by its clock.
// Where there is no nvcc, there is no GPU to be found.
#pragma once

#include <penstock/penstock.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include "backend.hpp"
#include "parallel.hpp"

namespace penstock::examples {

#if defined(__CUDACC__)

// Compiled for every target of the program, so what the runtime says of it holds for all kernels.
static __global__ void probe() {}

// Makes GPU `index` the current one. What it can do is what this program's code can do on it.
inline gpu_at_hand use_gpu(int index) {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver) {
    (void)cudaGetLastError();
    count = 0;
  } else {
    require_cuda(code, "cannot look for GPUs");
  }
  if (count == 0 && index == 0) return {};
  if (index >= count)
    throw std::invalid_argument("--device: '" + std::to_string(index) + "' given, but here " +
                                (count == 0   ? "is no GPU"
                                 : count == 1 ? "is one GPU, number 0"
                                              : "are GPUs 0 to " + std::to_string(count - 1)));
  require_cuda(cudaSetDevice(index), "cannot use the GPU");
  cudaDeviceProp properties{};
  require_cuda(cudaGetDeviceProperties(&properties, index), "cannot query the GPU");
  (void)detail::compiled_backend(reinterpret_cast<const void*>(probe),
                                 index);  // throws where there is no code for it
  cudaFuncAttributes compiled{};
  require_cuda(cudaFuncGetAttributes(&compiled, probe), "cannot query a kernel");
  gpu_at_hand gpu{compiled.ptxVersion, properties.name};
  if (compiled.ptxVersion < properties.major * 10 + properties.minor)
    gpu.name += " with code for compute_" + std::to_string(compiled.ptxVersion);
  return gpu;
}

// Calls run(at_most<backend>{}) for a backend of a GPU.
template <class Run>
decltype(auto) below(backend_choice choice, Run&& run) {
  switch (choice) {
    case backend_choice::hopper:
      return run(at_most<backend::hopper>{});
    case backend_choice::ampere:
      return run(at_most<backend::ampere>{});
    default:
      return run(at_most<backend::portable>{});
  }
}

// Throws where the current GPU has fewer than `bytes` bytes free.
inline void require_gpu_memory(std::size_t bytes) {
  std::size_t available = 0, all = 0;
  require_cuda(cudaMemGetInfo(&available, &all), "cannot query the GPU's memory");
  if (bytes > available)
    throw std::runtime_error("this needs " + std::to_string(bytes) + " bytes of GPU memory, of which " +
                             std::to_string(available) + " are free");
}

// Elements of GPU memory.
template <class T>
class gpu_array {
 public:
  explicit gpu_array(std::size_t count) : count_(count) {  // not initialised
    require_gpu_memory(count * sizeof(T));
    require_cuda(cudaMalloc(&data_, count > 0 ? count * sizeof(T) : 1), "cannot allocate GPU memory");
  }
  explicit gpu_array(const std::vector<T>& values) : gpu_array(values.size()) {
    require_cuda(cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice),
                 "cannot copy to the GPU");
  }
  gpu_array(const gpu_array&) = delete;
  gpu_array& operator=(const gpu_array&) = delete;
  ~gpu_array() { (void)cudaFree(data_); }
  T* data() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    require_cuda(cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost),
                 "cannot copy from the GPU");
    return values;
  }

 private:
  std::size_t count_;
  T* data_ = nullptr;
};

// What the default stream spends between start() and stop(), in seconds.
class gpu_clock {
 public:
  gpu_clock() {
    require_cuda(cudaEventCreate(&start_), "cannot create an event");
    require_cuda(cudaEventCreate(&stop_), "cannot create an event");
  }
  gpu_clock(const gpu_clock&) = delete;
  gpu_clock& operator=(const gpu_clock&) = delete;
  ~gpu_clock() {
    (void)cudaEventDestroy(start_);
    (void)cudaEventDestroy(stop_);
  }
  void start() { require_cuda(cudaEventRecord(start_), "cannot record an event"); }
  // Waits for the work; what went wrong in it is thrown here.
  double stop() {
    require_cuda(cudaEventRecord(stop_), "cannot record an event");
    require_cuda(cudaEventSynchronize(stop_), "the GPU failed");
    float milliseconds = 0;
    require_cuda(cudaEventElapsedTime(&milliseconds, start_, stop_), "cannot read the GPU's clock");
    return milliseconds / 1000.0;
  }

 private:
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

#else

inline gpu_at_hand use_gpu(int index) {
  if (index > 0)
    throw std::invalid_argument("--device: '" + std::to_string(index) +
                                "' given, but this program was built without CUDA");
  return {0, "a program built without CUDA"};
}

#endif

inline place choose_place(backend_choice asked, int device) {
  place chosen;
  if (asked != backend_choice::host) {
    const gpu_at_hand gpu = use_gpu(device);
    chosen = {resolve_backend(asked, gpu), gpu.name};
  }
  if (chosen.on_host())
    chosen.name = std::to_string(host_threads()) +
                  (host_threads() == 1 ? " thread of the host" : " threads of the host");
  return chosen;
}

}  // namespace penstock::examples
