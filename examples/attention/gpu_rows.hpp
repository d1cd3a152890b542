// A block of rows on a GPU: 256 threads, each with its part of the output.
#pragma once

#include "lines.hpp"
#include "thread_rows.hpp"

namespace penstock::examples::attention {

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

}  // namespace penstock::examples::attention
