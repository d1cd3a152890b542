// The product on sm_80: four warps fetch tiles of a and b by cp.async, eight multiply by mma.sync. The hand-over is a
// channel's: no wait_group, no barrier and no count is written here.
//
//   fetch ══▶ operands[3] ══▶ multiply, 128 x 128 sums in registers ──▶ c
//   (4 warps)                 (8 warps)
#pragma once

#include <penstock/arch/ampere/copy.hpp>
#include <penstock/ring/channel.hpp>

#include "warp_sums.hpp"

namespace penstock::examples::gemm::ampere {

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
