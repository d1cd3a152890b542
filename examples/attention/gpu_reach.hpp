// How long the keys of each head are, on a GPU: what the bound is made of.
#pragma once

#include "heads.hpp"
#include "thread_rows.hpp"

namespace penstock::examples::attention {

// One block of threads a head: the longest key of each block of keys, then the longest so far.
constexpr int reach_threads = 1024;
static __global__ void __launch_bounds__(reach_threads) reach_kernel(problem p, float* reach) {
  float* const mine = reach + static_cast<long long>(blockIdx.x) * p.key_blocks();
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int b = warp; b < p.key_blocks(); b += static_cast<int>(blockDim.x) / 32) {
    const int token = b * key_block + lane;
    float length = 0;
    if (token < p.tokens) {
      const float* const k = p.k + (static_cast<long long>(blockIdx.x) * p.tokens + token) * width;
      for (int d = 0; d < width; d += 4) length += dot(four(k + d), four(k + d));
    }
    for (int step = 16; step > 0; step /= 2) length = fmaxf(length, __shfl_xor_sync(0xffffffffu, length, step));
    if (lane == 0) mine[b] = sqrtf(length);
  }
  __syncthreads();
  if (warp > 0) return;
  float so_far = 0;
  for (int b = 0; b < p.key_blocks(); b += 32) {
    float x = b + lane < p.key_blocks() ? mine[b + lane] : 0.f;
    for (int step = 1; step < 32; step *= 2) {
      const float before = __shfl_up_sync(0xffffffffu, x, step);
      if (lane >= step) x = fmaxf(x, before);
    }
    x = fmaxf(x, so_far);
    if (b + lane < p.key_blocks()) mine[b + lane] = x;
    so_far = __shfl_sync(0xffffffffu, x, 31);
  }
}

}  // namespace penstock::examples::attention
