// What one of 256 threads keeps of a block of rows, and what it does with a block of keys: thread 16 y + x has rows 4 y
// to 4 y + 3 and columns 4 x to 4 x + 3 of the output.
#pragma once

#include "heads.hpp"

namespace penstock::examples::attention {

constexpr int lanes_a_row = 16, rows_a_thread = 4;
constexpr float nowhere = -__builtin_inff();

// What the threads of a block share beside the keys.
struct shared_rows {
  float q[row_block][width];
  float weights[row_block][key_block];
  int unfinished[2];  // does any row want more keys? Of this block of keys, and of the next.
};

struct thread_rows {
  float out[rows_a_thread][4] = {};
  float largest[rows_a_thread] = {nowhere, nowhere, nowhere, nowhere};
  float sum[rows_a_thread] = {};
  float query[rows_a_thread] = {};  // lengths, in units of log 2
};

template <class Combine>
__device__ __forceinline__ float across_row(float x, Combine combine) {
#pragma unroll
  for (int step = lanes_a_row / 2; step > 0; step /= 2) x = combine(x, __shfl_xor_sync(0xffffffffu, x, step));
  return x;
}
__device__ __forceinline__ float dot(const float4& a, const float4& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__device__ __forceinline__ float4 four(const float* p) { return *reinterpret_cast<const float4*>(p); }
__device__ __forceinline__ float largest_of(float a, float b) { return fmaxf(a, b); }
__device__ __forceinline__ float sum_of(float a, float b) { return a + b; }

// Scores of the thread's rows with keys x and x + 16. Each lane starts at another column, so that no two meet in a
// bank.
__device__ __forceinline__ void score(float (&s)[rows_a_thread][2], const shared_rows& shared, const keys& k, int x,
                                      int y) {
#pragma unroll
  for (int d = 0; d < width; d += 4) {
    const int c = (d + 4 * x) % width;
    const float4 k0 = four(&k[x][c]), k1 = four(&k[x + lanes_a_row][c]);
#pragma unroll
    for (int r = 0; r < rows_a_thread; ++r) {
      const float4 q = four(&shared.q[rows_a_thread * y + r][c]);
      s[r][0] += dot(q, k0);
      s[r][1] += dot(q, k1);
    }
  }
}

__device__ __forceinline__ void add_values(thread_rows& t, const shared_rows& shared, const keys& v, int x, int y) {
#pragma unroll 2
  for (int j = 0; j < key_block; j += 4) {
    const float4 v0 = four(&v[j][4 * x]), v1 = four(&v[j + 1][4 * x]), v2 = four(&v[j + 2][4 * x]),
                 v3 = four(&v[j + 3][4 * x]);
#pragma unroll
    for (int r = 0; r < rows_a_thread; ++r) {
      const float4 w = four(&shared.weights[rows_a_thread * y + r][j]);
      t.out[r][0] += w.x * v0.x + w.y * v1.x + w.z * v2.x + w.w * v3.x;
      t.out[r][1] += w.x * v0.y + w.y * v1.y + w.z * v2.y + w.w * v3.y;
      t.out[r][2] += w.x * v0.z + w.y * v1.z + w.z * v2.z + w.w * v3.z;
      t.out[r][3] += w.x * v0.w + w.y * v1.w + w.z * v2.w + w.w * v3.w;
    }
  }
}

// The rows' new largest scores and sums, and the weights of these keys, which take the place of their scores.
__device__ __forceinline__ void weigh(thread_rows& t, float (&s)[rows_a_thread][2], int first_row, int first_key,
                                      float slope) {
#pragma unroll
  for (int r = 0; r < rows_a_thread; ++r) {
#pragma unroll
    for (int c = 0; c < 2; ++c) {
      const int distance = first_row + r - first_key - lanes_a_row * c;
      s[r][c] = distance >= 0 ? s[r][c] * to_log2 - slope * static_cast<float>(distance) : nowhere;
    }
    const float largest = fmaxf(t.largest[r], across_row(fmaxf(s[r][0], s[r][1]), largest_of));
    const float base = largest == nowhere ? 0.f : largest;  // no key yet: every weight is 0
    const float shrink = exp2f(t.largest[r] - base);
    s[r][0] = exp2f(s[r][0] - base);
    s[r][1] = exp2f(s[r][1] - base);
    t.largest[r] = largest;
    t.sum[r] = t.sum[r] * shrink + across_row(s[r][0] + s[r][1], sum_of);
#pragma unroll
    for (int d = 0; d < 4; ++d) t.out[r][d] *= shrink;
  }
}

}  // namespace penstock::examples::attention
