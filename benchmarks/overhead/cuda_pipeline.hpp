// The loop by cuda::pipeline at block scope: copies in by cuda::memcpy_async, results straight from registers to
// memory, which is the fastest way out that it offers.
#pragma once

#include "overhead/bodies.hpp"

#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace overhead {

template <int Depth, class Body>
__global__ void __launch_bounds__(compute_threads)
    cuda_pipeline(const float* in, float* out, long long n, long long* cycles) {
  extern __shared__ __align__(128) unsigned char storage[];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Depth> state;
  const auto block = cooperative_groups::this_thread_block();
  const long long start = clock64();
  auto pipe = cuda::make_pipeline(block, &state);
  float* slots = reinterpret_cast<float*>(storage);
  int put = 0, get = 0;
  long long ahead = 0;
#pragma unroll 1
  for (long long i = 0; i < n; ++i) {
#pragma unroll 1
    for (; ahead < n && ahead < i + Depth; ++ahead) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, slots + put * Body::words, source<Body>(in, ahead),
                         cuda::aligned_size_t<16>(Body::words * 4), pipe);
      pipe.producer_commit();
      if (++put == Depth) put = 0;
    }
    pipe.consumer_wait();
    Body::compute(slots + get * Body::words, target<Body>(out, i), static_cast<int>(threadIdx.x));
    pipe.consumer_release();
    if (++get == Depth) get = 0;
  }
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start;
}

template <int Depth, class Body>
constexpr long long cuda_pipeline_shared = 1ll * Depth * Body::words * 4;

}  // namespace overhead
