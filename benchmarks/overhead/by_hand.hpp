// The loop as it is written by hand for sm_90: one warp copies in, eight compute, one copies out; a full and an empty
// mbarrier for each slot of each buffer.
#pragma once

#include "overhead/bodies.hpp"

#include <cstdint>

namespace overhead {

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
namespace ptx {
__device__ __forceinline__ std::uint32_t shared(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}
__device__ __forceinline__ void init(std::uint32_t b, int n) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(b), "r"(n) : "memory");
}
__device__ __forceinline__ void expect(std::uint32_t b, unsigned n) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(b), "r"(n) : "memory");
}
__device__ __forceinline__ void arrive(std::uint32_t b) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(b) : "memory");
}
__device__ __forceinline__ void wait(std::uint32_t b, unsigned parity) {
  asm volatile(
      "{\n\t.reg .pred p;\nAGAIN: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
      "@p bra DONE;\n\tbra AGAIN;\nDONE:\n\t}" ::"r"(b), "r"(parity) : "memory");
}
__device__ __forceinline__ void load(std::uint32_t to, const void* from, unsigned n, std::uint32_t b) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "l"(from), "r"(n), "r"(b) : "memory");
}
__device__ __forceinline__ void store(void* to, std::uint32_t from, unsigned n) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\tcp.async.bulk.commit_group;" ::"l"(to),
               "r"(from), "r"(n) : "memory");
}
template <int N>
__device__ __forceinline__ void wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(N) : "memory");
}
__device__ __forceinline__ void wait_all() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ __forceinline__ void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
}  // namespace ptx
#endif

template <int Depth, class Body>
__global__ void __launch_bounds__(compute_threads + 64)
    by_hand(const float* in, float* out, long long n, long long* cycles) {
#if __CUDA_ARCH__ >= 900
  extern __shared__ __align__(128) unsigned char storage[];
  constexpr int bytes = Body::words * 4, warps = compute_threads / 32;
  const std::uint32_t slots_in = ptx::shared(storage), slots_out = slots_in + Depth * bytes;
  const std::uint32_t full_in = slots_out + Depth * bytes, empty_in = full_in + 8 * Depth;
  const std::uint32_t full_out = empty_in + 8 * Depth, empty_out = full_out + 8 * Depth;
  const long long start = clock64();
  if (threadIdx.x == 0) {
    for (int k = 0; k < Depth; ++k) {
      ptx::init(full_in + 8 * k, 1);
      ptx::init(empty_in + 8 * k, warps);
      ptx::init(full_out + 8 * k, warps);
      ptx::init(empty_out + 8 * k, 1);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  const int warp = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x / 32), 0);
  if (warp < warps) {
    unsigned s = 0, parity = 0;  // both rings have one depth, so one place serves both
#pragma unroll 1
    for (long long i = 0; i < n; ++i) {
      ptx::wait(full_in + 8 * s, parity);
      ptx::wait(empty_out + 8 * s, parity ^ 1);
      Body::compute(reinterpret_cast<const float*>(storage) + Body::words * s,
                    reinterpret_cast<float*>(storage + Depth * bytes) + Body::words * s, static_cast<int>(threadIdx.x));
      ptx::fence_async();
      __syncwarp();
      if (threadIdx.x % 32 == 0) {
        ptx::arrive(empty_in + 8 * s);
        ptx::arrive(full_out + 8 * s);
      }
      if (++s == Depth) { s = 0; parity ^= 1; }
    }
  } else if (warp == warps) {
    if (threadIdx.x % 32 == 0) {
      unsigned s = 0, parity = 1;
#pragma unroll 1
      for (long long i = 0; i < n; ++i) {
        ptx::wait(empty_in + 8 * s, parity);
        ptx::expect(full_in + 8 * s, bytes);
        ptx::load(slots_in + bytes * s, source<Body>(in, i), bytes, full_in + 8 * s);
        if (++s == Depth) { s = 0; parity ^= 1; }
      }
    }
  } else if (threadIdx.x % 32 == 0) {
    unsigned s = 0, parity = 0;
#pragma unroll 1
    for (long long i = 0; i < n; ++i) {
      ptx::wait(full_out + 8 * s, parity);
      ptx::store(target<Body>(out, i), slots_out + bytes * s, bytes);
      ptx::wait_read<1>();
      if (i > 0) ptx::arrive(empty_out + 8 * (s > 0 ? s - 1 : Depth - 1));
      if (++s == Depth) { s = 0; parity ^= 1; }
    }
    ptx::wait_all();
  }
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start;
#endif
}

template <int Depth, class Body>
constexpr long long by_hand_shared = 2ll * Depth * Body::words * 4 + 4 * 8 * Depth;

}  // namespace overhead
