// A warpgroup's sums as bf16 in shared memory, where a tensor store fetches them.
#pragma once

#include <penstock/arch/hopper/wgmma.hpp>

#include <cuda_bf16.h>

#include <cstdint>

#include "shape.hpp"

namespace penstock::examples::gemm::hopper {

constexpr int store_columns = 64;

// 64 x 64 of a warpgroup's sums as bf16 into its half of a slot, swizzled as the tensor map says. Lane l of warp w has,
// in sums 4 j and 4 j + 1, columns 8 j + 2 (l % 4) and the next one of row 16 w + l / 4; in 4 j + 2 and 4 j + 3 the
// same of the row 8 further down.
__device__ __forceinline__ void round_to(bf16 (&c)[rows_a_block][store_columns], const float* sums, int half, int rank) {
  const int warp = rank / 32, lane = rank % 32;
  const int row = half * 64 + warp * 16 + lane % 16, piece = lane / 16;
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    std::uint32_t packed[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const __nv_bfloat162 pair = __floats2bfloat162_rn(sums[8 * j + 2 * k], sums[8 * j + 2 * k + 1]);
      packed[k] = *reinterpret_cast<const std::uint32_t*>(&pair);
    }
    arch::hopper::store_matrices(&c[row][8 * ((2 * j + piece) ^ row % 8)], packed[0], packed[1], packed[2], packed[3]);
  }
}

}  // namespace penstock::examples::gemm::hopper
