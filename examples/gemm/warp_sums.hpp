// What a warp multiplies by mma.sync: 64 x 32 of a tile of 128 x 128.
#pragma once

#include <penstock/arch/ampere/mma.hpp>

#include <cuda_bf16.h>

#include "shape.hpp"

namespace penstock::examples::gemm::ampere {

constexpr int tile_rows = rows_a_block, tile_columns = 128, tile_depth = 64;

// The 16-byte pieces of a row are exchanged by an XOR with its number, so that eight rows of a column meet all banks.
struct operands {
  bf16 a[tile_rows][tile_depth];
  bf16 b[tile_columns][tile_depth];
};
PENSTOCK_HD constexpr int piece_at(int row, int piece) { return 8 * (piece ^ row % 8); }

struct warp_sums {
  float s[4][4][4] = {};

  __device__ __forceinline__ void add(const operands& o, int row, int column, int lane) {
#pragma unroll
    for (int k = 0; k < tile_depth / 16; ++k) {
      std::uint32_t a[4][4], b[2][4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const int r = row + 16 * i + lane % 16;
        arch::ampere::load_matrices(a[i], &o.a[r][piece_at(r, 2 * k + lane / 16)]);
      }
#pragma unroll
      for (int j = 0; j < 2; ++j) {
        const int r = column + 16 * j + lane % 8 + lane / 16 * 8;
        arch::ampere::load_matrices(b[j], &o.b[r][piece_at(r, 2 * k + lane / 8 % 2)]);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
          arch::ampere::multiply_add(s[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
    }
  }

  __device__ __forceinline__ void store(const product& p, int row, int column, int lane) const {
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int r = row + 16 * i + lane / 4 + 8 * half, c = column + 8 * j + lane % 4 * 2;
          if (r < p.rows && c < p.columns)  // both columns: their number is a multiple of 8
            *reinterpret_cast<__nv_bfloat162*>(p.c + static_cast<long long>(r) * p.columns + c) =
                __floats2bfloat162_rn(s[i][j][2 * half], s[i][j][2 * half + 1]);
        }
  }
};

}  // namespace penstock::examples::gemm::ampere
