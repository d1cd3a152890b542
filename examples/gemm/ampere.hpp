// The product on sm_80: four warps fetch tiles of a and b by cp.async, eight multiply by mma.sync. The hand-over is a
// channel's: no wait_group, no barrier and no count is written here.
//
//   fetch ══▶ operands[3] ══▶ multiply, 128 x 128 sums in registers ──▶ c
//   (4 warps)                 (8 warps)
#pragma once

#include <penstock/arch/ampere/copy.hpp>
#include <penstock/arch/ampere/mma.hpp>
#include <penstock/ring/channel.hpp>

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

using operand_line = channel<operands, 3, producers<by_copies<warps<4>>>, consumers<warps<8>>>;
using storage = operand_line::storage;
constexpr int threads = 384;

// 128 rows of 64 elements from a matrix of `rows` rows of `depth`; beyond either there are zeros.
__device__ __forceinline__ void fetch_tile(bf16 (&to)[128][tile_depth], const bf16* from, int rows, int depth, int row,
                                           int column, int rank) {
#pragma unroll 4
  for (int k = rank; k < 128 * 8; k += 128) {
    const int r = k / 8, piece = k % 8, x = column + 8 * piece;
    const bool there = row + r < rows && x < depth;
    arch::ampere::copy_async<16>(&to[r][piece_at(r, piece)],
                                 there ? from + static_cast<long long>(row + r) * depth + x : from, there ? 16 : 0);
  }
}

__device__ __forceinline__ void fetch(operand_line& line, const product& p, const int* filled, tile_order order,
                                      int rank) {
  auto out = line.producer(rank);
  for (int t = static_cast<int>(blockIdx.x); t < order.count(); t += static_cast<int>(gridDim.x)) {
    const tile_order::place at = order.at(t);
    const int steps = blocks_of(filled[at.row], tile_depth);
    if (steps == 0) out.finish();
    for (int k = 0; k < steps; ++k) {
      auto slot = out.acquire();
      fetch_tile(slot->a, p.a, p.rows, p.depth, at.row * tile_rows, k * tile_depth, rank);
      fetch_tile(slot->b, p.b, p.columns, p.depth, at.column * tile_columns, k * tile_depth, rank);
      if (k + 1 == steps) slot.commit_last();  // those who multiply need not know how many there are
    }
  }
}

// Each warp computes 64 x 32 of the tile.
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

__device__ __forceinline__ void multiply(operand_line& line, const product& p, tile_order order, int rank) {
  auto in = line.consumer(rank);
  const int warp = rank / 32, lane = rank % 32, row = warp / 4 * 64, column = warp % 4 * 32;
  for (int t = static_cast<int>(blockIdx.x); t < order.count(); t += static_cast<int>(gridDim.x)) {
    const tile_order::place at = order.at(t);
    warp_sums sums;
    while (auto slot = in.acquire()) sums.add(*slot, row, column, lane);
    sums.store(p, at.row * tile_rows + row, at.column * tile_columns + column, lane);
  }
}

// One block a multiprocessor; each computes the tiles blockIdx.x, blockIdx.x + gridDim.x, …
template <class Product>
__global__ void __launch_bounds__(threads, 1) multiply_kernel(Product p, const int* filled, tile_order order) {
  if constexpr (arch::ring_ops::has_async_copies) {
    operand_line line(*reinterpret_cast<storage*>(arch::cuda::threads::storage(128)));
    const int rank = static_cast<int>(threadIdx.x);
    if (rank < 256) multiply(line, p, order, rank);
    else fetch(line, p, filled, order, rank - 256);
  }
}

}  // namespace penstock::examples::gemm::ampere
