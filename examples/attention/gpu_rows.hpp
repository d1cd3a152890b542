// A block of rows on a GPU: 256 threads, thread 16 y + x keeps rows 4 y to 4 y + 3 and columns 4 x to 4 x + 3 of the
// output.
#pragma once

#include "lines.hpp"

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

template <class... Options>
__global__ void attend_kernel(const __grid_constant__ problem p, const __grid_constant__ key_map k_map,
                              const __grid_constant__ key_map v_map, unsigned long long* met) {
  __shared__ __align__(16) shared_rows shared;
  const int head = static_cast<int>(blockIdx.y);
  const int b = p.row_blocks() - 1 - static_cast<int>(blockIdx.x);  // the longest first
  const long long first = static_cast<long long>(head) * p.tokens + b * row_block;
  const float slope = slope_of(head, p.heads) * log2_e;
  const float* const reach = p.reach + static_cast<long long>(head) * p.key_blocks();
  for (int k = static_cast<int>(threadIdx.x); k < row_block * width; k += static_cast<int>(blockDim.x))
    shared.q[k / width][k % width] = b * row_block + k / width < p.tokens ? p.q[first * width + k] : 0.f;
  if (threadIdx.x < 2) shared.unfinished[threadIdx.x] = 0;
  __syncthreads();

  thread_rows t;
  const long long nearest = p.blocks_before(b) - 1;
  const run_result result = run<attention_line, Options...>(
      nearest + 1, on<"read k">([&](long long i) { return from(k_map, head, (nearest - i) * key_block, 0); }),
      on<"read v">([&](long long i) { return from(v_map, head, (nearest - i) * key_block, 0); }),
      on<"attend">([&](const auto& group, const keys& k, const keys& v, long long i) {
        const int block = static_cast<int>(nearest - i);
        static_assert(group.size() == row_block / rows_a_thread * lanes_a_row || group.size() == 1);
        const int x = group.rank() % lanes_a_row, y = group.rank() / lanes_a_row;
        const int first_row = b * row_block + rows_a_thread * y;
        if (i == 0) {
#pragma unroll
          for (int r = 0; r < rows_a_thread; ++r) {
            const float4 q = four(&shared.q[rows_a_thread * y + r][4 * x]);
            t.query[r] = sqrtf(across_row(dot(q, q), sum_of)) * to_log2;
          }
        }
        float s[rows_a_thread][2] = {};
        score(s, shared, k, x, y);
        weigh(t, s, first_row, block * key_block + x, slope);
        bool wants_more = false;
#pragma unroll
        for (int r = 0; r < rows_a_thread; ++r)
          wants_more = wants_more || (block > 0 && first_row + r < p.tokens &&
                                      !nothing_left(first_row + r, block * key_block, t.query[r], reach[block - 1],
                                                    slope, t.largest[r], t.sum[r], p.tolerance));
        int& unfinished = shared.unfinished[block % 2];
        group.sync();  // all have done with the weights of the block before
#pragma unroll
        for (int r = 0; r < rows_a_thread; ++r) {
          shared.weights[rows_a_thread * y + r][x] = s[r][0];
          shared.weights[rows_a_thread * y + r][x + lanes_a_row] = s[r][1];
        }
        if (wants_more) unfinished = 1;
        group.sync();
        const bool last = unfinished == 0;
        if (group.rank() == 0) shared.unfinished[(block + 1) % 2] = 0;
        add_values(t, shared, v, x, y);
        if (last) {
#pragma unroll
          for (int r = 0; r < rows_a_thread; ++r)
            if (first_row + r < p.tokens)
              *reinterpret_cast<float4*>(p.out + (first + rows_a_thread * y + r) * width + 4 * x) = make_float4(
                  t.out[r][0] / t.sum[r], t.out[r][1] / t.sum[r], t.out[r][2] / t.sum[r], t.out[r][3] / t.sum[r]);
        }
        return last && block > 0 ? stop : go;
      }));
  if (threadIdx.x == 0) atomicAdd(met, static_cast<unsigned long long>(result.iterations));
}

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
