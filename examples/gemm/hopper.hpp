// The product on sm_90a: one warp fetches tiles of a and b, two warpgroups multiply, one warp stores tiles of c. Each
// of the three hands on through a channel: no count, phase, byte total or fence is written here.
//
//   fetch ══▶ operands[4] ══▶ multiply, 128 x 256 sums in registers ══▶ results[2] ══▶ store
//   (1 warp)                  (2 warpgroups)                                          (1 warp)
#pragma once

#include <penstock/arch/hopper/wgmma.hpp>
#include <penstock/ring/channel.hpp>

#include <cuda_bf16.h>

#include "hopper_round.hpp"
#include "shape.hpp"

namespace penstock::examples::gemm::hopper {

constexpr int tile_rows = rows_a_block, tile_columns = 256, tile_depth = 64;

struct operands {
  alignas(1024) bf16 a[tile_rows][tile_depth];
  alignas(1024) bf16 b[tile_columns][tile_depth];
};
struct results {
  alignas(1024) bf16 c[tile_rows][store_columns];
};

using operand_line = channel<operands, 4, producers<by_bulk>, consumers<by_products<warpgroups<2>>>>;
using result_line = channel<results, 2, producers<warpgroups<1>, warpgroups<1>>, consumers<release_after<0, by_bulk>>>;

struct storage {
  operand_line::storage operands;
  result_line::storage results;
};

struct maps {
  swizzled<bf16[tile_rows][tile_depth], 2> a;
  swizzled<bf16[tile_columns][tile_depth], 2> b;
  swizzled<bf16[tile_rows][store_columns], 2> c;
};

constexpr int threads = 384;  // two warpgroups that multiply, and one for the fetching and the storing warp

template <class Maps>
__device__ __forceinline__ void fetch(operand_line& line, const Maps& m, const int* filled, tile_order order) {
  auto out = line.producer();
  for (int t = static_cast<int>(blockIdx.x); t < order.count(); t += static_cast<int>(gridDim.x)) {
    const tile_order::place p = order.at(t);
    const int steps = blocks_of(filled[p.row], tile_depth);
    if (steps == 0) out.finish();
    for (int k = 0; k < steps; ++k) {
      auto slot = out.acquire();
      slot.copy(slot->a, from(m.a, p.row * tile_rows, k * tile_depth));
      slot.copy(slot->b, from(m.b, p.column * tile_columns, k * tile_depth));
      if (k + 1 == steps) slot.commit_last();  // those who multiply need not know how many there are
    }
  }
}

template <int Group>
__device__ __forceinline__ void multiply(operand_line& operands, result_line& results, tile_order order, int rank) {
  using arch::hopper::products;
  auto in = operands.consumer(Group * 128 + rank);
  auto out = results.producer<Group>(rank);
  for (int t = static_cast<int>(blockIdx.x); t < order.count(); t += static_cast<int>(gridDim.x)) {
    float sums[128] = {};
    while (auto slot = in.acquire()) {
      std::uint32_t a = products::operand(slot->a[Group * 64]), b = products::operand(slot->b);
      products::begin();
#pragma unroll
      for (int k = 0; k < tile_depth / 16; ++k) {
        products::multiply_add(sums, a, b);
        a += products::next_k;
        b += products::next_k;
      }
    }  // the slot goes back when its products are done, which is one slot later
    products::settle(sums);
#pragma unroll
    for (int q = 0; q < tile_columns / store_columns; ++q) {
      auto slot = out.acquire();
      round_to(slot->c, sums + q * 32, Group, rank);
    }
  }
}

template <class Maps>
__device__ __forceinline__ void store(result_line& line, const Maps& m, tile_order order) {
  auto in = line.consumer();
  for (int t = static_cast<int>(blockIdx.x); t < order.count(); t += static_cast<int>(gridDim.x)) {
    const tile_order::place p = order.at(t);
    for (int q = 0; q < tile_columns / store_columns; ++q)
      in.acquire().copy_out(to(m.c, p.row * tile_rows, p.column * tile_columns + q * store_columns));
  }
}

// One block a multiprocessor; each computes the tiles blockIdx.x, blockIdx.x + gridDim.x, …
template <class Maps>
__global__ void __launch_bounds__(threads, 1)
    multiply_kernel(const __grid_constant__ Maps m, const int* filled, tile_order order) {
  if constexpr (arch::hopper::has_products) {
    storage& memory = *reinterpret_cast<storage*>(arch::cuda::threads::storage(1024));
    operand_line operands(memory.operands);
    result_line results(memory.results);
    const int group = arch::cuda::threads::warp() / 4, rank = static_cast<int>(threadIdx.x) % 128;
    if (group == 0) {
      arch::hopper::raise_registers<232>();
      multiply<0>(operands, results, order, rank);
    } else if (group == 1) {
      arch::hopper::raise_registers<232>();
      multiply<1>(operands, results, order, rank);
    } else {
      arch::hopper::lower_registers<40>();
      if (arch::cuda::threads::warp() == 8) fetch(operands, m, filled, order);
      else if (arch::cuda::threads::warp() == 9) store(results, m, order);
    }
  }
}

}  // namespace penstock::examples::gemm::hopper
