// Runs kernels of plain CUDA C++ on the host, so that sanitizers and machines without a GPU can test them: included
// before everything else, by a C++ compiler. Blocks run one after the other, threads in turn; barriers and shuffles
// switch between them. Memory of the device is memory of the host, addressable to its exact size. No asynchronous
// copies, no pipelines.
#pragma once

#include "support/address_sanitizer.hpp"

#include <cuda_runtime.h>

#include <ucontext.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <vector>

#undef __launch_bounds__
#undef __grid_constant__
#undef __shared__
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__ static

namespace on_host {

struct place {
  unsigned x = 0, y = 0, z = 0;
};

}  // namespace on_host

inline on_host::place threadIdx, blockIdx, blockDim, gridDim;

namespace on_host {

enum class waits : unsigned char { no, for_warp, for_block };

struct fiber {
  static constexpr std::size_t stack_bytes = 256 * 1024;
  ucontext_t context{};
  std::unique_ptr<char[]> stack{new char[stack_bytes]};
  bool ended = false;
  waits state = waits::no;
};

// Thrown by a barrier met outside a fiber: the block starts again, with a fiber for each thread. What a thread of these
// kernels does before its first barrier can be done twice.
struct needs_fibers {};

class machine {
  std::vector<std::unique_ptr<fiber>> fibers_;
  ucontext_t scheduler_{};
  fiber* running_ = nullptr;
  const std::function<void()>* body_ = nullptr;
  std::set<const void*> synchronising_;
  unsigned char exchange_[1024][16]{};

  static void enter() {
    machine& m = instance();
    asan::enter_stack(nullptr, &m.scheduler_stack_, &m.scheduler_stack_bytes_);
    (*m.body_)();
    m.running_->ended = true;
    m.leave();
  }
  const void* scheduler_stack_ = nullptr;
  std::size_t scheduler_stack_bytes_ = 0;
  void leave() {
    fiber& me = *running_;
    void* mine = nullptr;
    asan::leave_stack(me.ended ? nullptr : &mine, scheduler_stack_, scheduler_stack_bytes_);
    swapcontext(&me.context, &scheduler_);
    asan::enter_stack(mine, &scheduler_stack_, &scheduler_stack_bytes_);
  }
  void resume(fiber& f) {
    running_ = &f;
    void* mine = nullptr;
    asan::leave_stack(&mine, f.stack.get(), fiber::stack_bytes);
    swapcontext(&scheduler_, &f.context);
    asan::enter_stack(mine, nullptr, nullptr);
    running_ = nullptr;
  }

  // Lets go those of threads first … last-1 that wait so, if all that still live do.
  bool release(unsigned first, unsigned last, waits state) {
    bool any = false;
    for (unsigned t = first; t < last; ++t) {
      if (fibers_[t]->ended) continue;
      if (fibers_[t]->state != state) return false;
      any = true;
    }
    for (unsigned t = first; t < last && any; ++t) fibers_[t]->state = waits::no;
    return any;
  }

  void run_in_fibers(unsigned threads) {
    while (fibers_.size() < threads) fibers_.push_back(std::make_unique<fiber>());
    for (unsigned t = 0; t < threads; ++t) {
      fiber& f = *fibers_[t];
      f.ended = false;
      f.state = waits::no;
      getcontext(&f.context);
      f.context.uc_stack.ss_sp = f.stack.get();
      f.context.uc_stack.ss_size = fiber::stack_bytes;
      f.context.uc_link = nullptr;
      makecontext(&f.context, enter, 0);
    }
    for (bool moved = true; moved;) {
      moved = false;
      for (unsigned t = 0; t < threads; ++t) {
        if (fibers_[t]->ended || fibers_[t]->state != waits::no) continue;
        threadIdx.x = t;
        resume(*fibers_[t]);
        moved = true;
      }
      for (unsigned w = 0; w < threads; w += 32)
        moved = release(w, w + 32 < threads ? w + 32 : threads, waits::for_warp) || moved;
      moved = release(0, threads, waits::for_block) || moved;
    }
    for (unsigned t = 0; t < threads; ++t)
      if (!fibers_[t]->ended) {
        std::fprintf(stderr, "thread %u of block %u waits for ever\n", t, blockIdx.x);
        std::abort();
      }
  }

 public:
  static machine& instance() {
    static machine m;
    return m;
  }

  void run(const void* kernel, dim3 grid, dim3 threads, const std::function<void()>& body) {
    body_ = &body;
    blockDim = {threads.x, 1, 1};
    gridDim = {grid.x, 1, 1};
    for (unsigned b = 0; b < grid.x; ++b) {
      blockIdx = {b, 0, 0};
      if (synchronising_.count(kernel) == 0) {
        try {
          for (threadIdx.x = 0; threadIdx.x < threads.x; ++threadIdx.x) body();
          continue;
        } catch (const needs_fibers&) {
          synchronising_.insert(kernel);
        }
      }
      run_in_fibers(threads.x);
    }
  }

  void wait(waits state) {
    if (running_ == nullptr) throw needs_fibers{};
    running_->state = state;
    const unsigned me = threadIdx.x;
    leave();
    threadIdx.x = me;
  }

  // Every lane gives a value and takes the one of lane `from`.
  template <class T>
  T exchange(T value, unsigned from) {
    static_assert(sizeof(T) <= 16);
    std::memcpy(exchange_[threadIdx.x], &value, sizeof(T));
    wait(waits::for_warp);
    std::memcpy(&value, exchange_[threadIdx.x / 32 * 32 + from], sizeof(T));
    wait(waits::for_warp);
    return value;
  }
};

// A stream that no kernel may be launched on: what the runtime says to one of another device, or to one destroyed.
inline const cudaStream_t elsewhere = reinterpret_cast<cudaStream_t>(&machine::instance);

template <class... Parameters, class... Arguments>
cudaError_t launch(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...), Arguments&&... arguments) {
  if (config->stream == elsewhere) return cudaErrorInvalidResourceHandle;
  const std::function<void()> body = [&] { kernel(arguments...); };
  machine::instance().run(reinterpret_cast<const void*>(kernel), config->gridDim, config->blockDim, body);
  return cudaSuccess;
}

}  // namespace on_host

inline void __syncthreads() { on_host::machine::instance().wait(on_host::waits::for_block); }
template <class T>
T __shfl_sync(unsigned, T value, int lane) {
  return on_host::machine::instance().exchange(value, static_cast<unsigned>(lane) % 32);
}
template <class T>
T __shfl_up_sync(unsigned, T value, int distance) {
  const int lane = static_cast<int>(threadIdx.x % 32) - distance;
  return __shfl_sync(~0u, value, lane < 0 ? static_cast<int>(threadIdx.x % 32) : lane);
}
template <class T>
T __shfl_down_sync(unsigned, T value, int distance) {
  const int lane = static_cast<int>(threadIdx.x % 32) + distance;
  return __shfl_sync(~0u, value, lane > 31 ? static_cast<int>(threadIdx.x % 32) : lane);
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(((static_cast<unsigned long long>(high) << 32) | low) >> (shift % 32));
}
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long all = (static_cast<unsigned long long>(b) << 32) | a;
  unsigned result = 0;
  for (unsigned k = 0; k < 4; ++k)
    result |= static_cast<unsigned>(all >> (8 * (selector >> (4 * k) & 7)) & 255) << (8 * k);
  return result;
}
template <class T>
T __ldcs(const T* p) { return *p; }
template <class T>
void __stcs(T* p, T value) { *p = value; }

#define cudaLaunchKernelEx on_host::launch

// The runtime's functions that the algorithms and their tests call.
extern "C" {
inline cudaError_t cudaMalloc(void** p, std::size_t bytes) {
  const std::size_t room = (bytes + 511) / 512 * 512 + 512;
  *p = std::aligned_alloc(512, room);
  asan::poison(static_cast<char*>(*p) + bytes, room - bytes);
  return *p != nullptr ? cudaSuccess : cudaErrorMemoryAllocation;
}
inline cudaError_t cudaFree(void* p) {
  std::free(p);
  return cudaSuccess;
}
inline cudaError_t cudaMallocAsync(void** p, std::size_t bytes, cudaStream_t) { return cudaMalloc(p, bytes); }
inline cudaError_t cudaFreeAsync(void* p, cudaStream_t) { return cudaFree(p); }
inline cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaMemset(void* p, int value, std::size_t bytes) {
  std::memset(p, value, bytes);
  return cudaSuccess;
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaGetLastError() { return cudaSuccess; }
inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int) {
  *value = attribute == cudaDevAttrComputeCapabilityMajor ? 7 : attribute == cudaDevAttrMultiProcessorCount ? 1 : 0;
  return cudaSuccess;
}
inline const char* cudaGetErrorString(cudaError_t) { return "an error of the host's allocator"; }
}

#include <penstock/lower/backend.hpp>
#include <penstock/run/error.hpp>

// What the run layer offers nvcc alone.
namespace penstock {
inline void require_cuda(cudaError_t code, const char* what) {
  if (code != cudaSuccess) refuse(std::errc::not_enough_memory, what);
}
template <class P, class... Options, class... Arguments>
void launch(cudaStream_t, dim3, Arguments&&...) {
  refuse(std::errc::not_supported, "pipelines of device code do not run here");
}
namespace detail {
inline backend compiled_backend(const void*, int) { return backend::portable; }
}  // namespace detail
}  // namespace penstock
