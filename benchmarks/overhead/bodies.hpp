// The three-stage loop whose cost is measured: what each stage does, shared by every version of the loop.
#pragma once

#include <cuda_runtime.h>

namespace overhead {

inline constexpr int compute_threads = 256;
inline constexpr int tiles = 64;  // of the arrays, used again and again: they stay in the L2 cache

// Nothing: what the hand-overs alone cost.
struct nothing {
  static constexpr const char* name = "no work";
  static constexpr int words = 32;
  static constexpr bool writes = false;
  static __device__ __forceinline__ void compute(const float*, float*, int) {}
};
// One word a thread.
struct light {
  static constexpr const char* name = "1 word a thread";
  static constexpr int words = 256;
  static constexpr bool writes = true;
  static __device__ __forceinline__ void compute(const float* in, float* out, int rank) {
    out[rank] = 2.0f * in[rank] + 1.0f;
  }
};
// Eight words a thread.
struct heavy {
  static constexpr const char* name = "8 words a thread";
  static constexpr int words = 2048;
  static constexpr bool writes = true;
  static __device__ __forceinline__ void compute(const float* in, float* out, int rank) {
#pragma unroll
    for (int k = 0; k < words / 4 / compute_threads; ++k) {
      const float4 v = reinterpret_cast<const float4*>(in)[k * compute_threads + rank];
      reinterpret_cast<float4*>(out)[k * compute_threads + rank] =
          make_float4(2.0f * v.x + 1.0f, 2.0f * v.y + 1.0f, 2.0f * v.z + 1.0f, 2.0f * v.w + 1.0f);
    }
  }
};

template <class Body>
__device__ __forceinline__ const float* source(const float* in, long long i) {
  return in + (static_cast<long long>(blockIdx.x) * tiles + (i & (tiles - 1))) * Body::words;
}
template <class Body>
__device__ __forceinline__ float* target(float* out, long long i) {
  return out + (static_cast<long long>(blockIdx.x) * tiles + (i & (tiles - 1))) * Body::words;
}

}  // namespace overhead
