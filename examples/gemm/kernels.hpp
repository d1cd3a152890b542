// What surrounds the product on a GPU: filling the matrices, finding where rows end, and the plain product to compare
// with.
#pragma once

#include "shape.hpp"

namespace penstock::examples::gemm {

// Row r of a matrix of `depth` columns is random up to ends[r / rows_a_block] and zero from there on.
static __global__ void fill_kernel(bf16* matrix, long long count, int depth, std::uint32_t seed, const int* ends) {
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < count;
       k += static_cast<long long>(gridDim.x) * blockDim.x) {
    const long long row = k / depth;
    const bool there = ends == nullptr || k - row * depth < ends[row / rows_a_block];
    matrix[k] = there ? random_element(seed, static_cast<std::uint64_t>(k)) : bf16{0};
  }
}

// Raises filled[blockIdx.x] to the columns of this block of rows of `a` up to the last one that is not zero everywhere,
// as far as a share of the rows tells. Looks from the end, so that it reads little more than the zeros.
constexpr int filled_shares = 8, filled_threads = 256;
static __global__ void __launch_bounds__(filled_threads)
    filled_kernel(const bf16* a, int rows, int depth, int* filled) {
  constexpr int step = 512, pieces = step / 8, share = rows_a_block / filled_shares;
  const int first = static_cast<int>(blockIdx.x) * rows_a_block + static_cast<int>(blockIdx.y) * share;
  for (int end = blocks_of(depth, step) * step; end > 0; end -= step) {
    int mine = 0;
#pragma unroll
    for (int k = static_cast<int>(threadIdx.x); k < share * pieces; k += filled_threads) {
      const int row = first + k / pieces, column = end - step + k % pieces * 8;
      if (row >= rows || column >= depth) continue;
      const uint4 v = *reinterpret_cast<const uint4*>(a + static_cast<long long>(row) * depth + column);
      if (((v.x | v.y | v.z | v.w) & 0x7fff7fffu) != 0) mine = mine > column + 8 ? mine : column + 8;
    }
    if (mine > 0) atomicMax(&filled[blockIdx.x], mine);
    if (__syncthreads_or(mine > 0)) return;
  }
}

// One thread an element, in order of depth. Rows of blocks beyond a launch's limit take turns.
static __global__ void plain_kernel(product p, float* c) {
  constexpr int side = 16;
  __shared__ float a[side][side], b[side][side + 1];
  const int column = static_cast<int>(blockIdx.x) * side + static_cast<int>(threadIdx.x);
  const int column_loaded = static_cast<int>(blockIdx.x) * side + static_cast<int>(threadIdx.y);
  for (int block = static_cast<int>(blockIdx.y); block < blocks_of(p.rows, side); block += static_cast<int>(gridDim.y)) {
    const int row = block * side + static_cast<int>(threadIdx.y);
    float sum = 0;
    for (int k = 0; k < p.depth; k += side) {
      const int x = k + static_cast<int>(threadIdx.x);
      a[threadIdx.y][threadIdx.x] =
          row < p.rows && x < p.depth ? widen(p.a[static_cast<long long>(row) * p.depth + x]) : 0;
      b[threadIdx.y][threadIdx.x] = column_loaded < p.columns && x < p.depth
                                        ? widen(p.b[static_cast<long long>(column_loaded) * p.depth + x])
                                        : 0;
      __syncthreads();
      for (int i = 0; i < side; ++i) sum += a[threadIdx.y][i] * b[threadIdx.x][i];
      __syncthreads();
    }
    if (row < p.rows && column < p.columns) c[static_cast<long long>(row) * p.columns + column] = sum;
  }
}

struct difference {
  unsigned long long wrong = 0;  // elements further from the plain product than rounding explains
  int largest = 0;               // distance, as the bits of a float: those of positive floats sort like numbers
};

static __global__ void compare_kernel(const bf16* c, const float* reference, long long count, int depth,
                                      difference* d) {
  float largest = 0;
  unsigned long long wrong = 0;
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < count;
       k += static_cast<long long>(gridDim.x) * blockDim.x) {
    const float distance = fabsf(widen(c[k]) - reference[k]);
    largest = fmaxf(largest, distance);
    wrong += !(distance <= allowed_distance(reference[k], depth));  // a NaN is wrong
  }
  atomicMax(&d->largest, __float_as_int(largest));
  if (wrong != 0) atomicAdd(&d->wrong, wrong);
}

}  // namespace penstock::examples::gemm
