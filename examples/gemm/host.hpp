// The product between threads of the host, through a channel as on the GPUs: one thread fetches, one multiplies.
#pragma once

#include <penstock/ring/channel.hpp>

#include <algorithm>
#include <memory>
#include <thread>
#include <vector>

#include "shape.hpp"
#include "support/parallel.hpp"

namespace penstock::examples::gemm::host {

constexpr int tile = 64, steps_a_block = rows_a_block / tile;

struct operands {
  bf16 a[tile][tile];
  bf16 b[tile][tile];
};
using operand_line = channel<operands, 3, producers<by_bulk>, consumers<warps<1>>>;

template <class Slot>
void fetch_rows(const Slot& slot, bf16 (&to)[tile][tile], const bf16* from_rows, int rows, int depth, int row,
                int column) {
  const int width = std::min(tile, depth - column);
  for (int r = 0; r < tile; ++r) {
    std::fill(std::begin(to[r]), std::end(to[r]), bf16{0});
    if (row + r < rows) slot.copy(to[r], from(from_rows + static_cast<long long>(row + r) * depth + column, width));
  }
}

inline void fetch(operand_line& line, const product& p, const int* filled, tile_order order, int first, int step) {
  auto out = line.producer();
  for (int t = first; t < order.count(); t += step) {
    const tile_order::place at = order.at(t);
    const int steps = blocks_of(filled[at.row / steps_a_block], tile);
    if (steps == 0) out.finish();
    for (int k = 0; k < steps; ++k) {
      auto slot = out.acquire();
      fetch_rows(slot, slot->a, p.a, p.rows, p.depth, at.row * tile, k * tile);
      fetch_rows(slot, slot->b, p.b, p.columns, p.depth, at.column * tile, k * tile);
      if (k + 1 == steps) slot.commit_last();
    }
  }
}

inline void multiply(operand_line& line, const product& p, tile_order order, int first, int step) {
  auto in = line.consumer();
  std::vector<float> a(tile * tile), b(tile * tile), sums(tile * tile);
  for (int t = first; t < order.count(); t += step) {
    const tile_order::place at = order.at(t);
    std::fill(sums.begin(), sums.end(), 0.f);
    while (auto slot = in.acquire()) {
      for (int r = 0; r < tile; ++r)
        for (int k = 0; k < tile; ++k) {
          a[static_cast<std::size_t>(r * tile + k)] = widen(slot->a[r][k]);
          b[static_cast<std::size_t>(k * tile + r)] = widen(slot->b[r][k]);  // across: the inner loop runs along c
        }
      for (int r = 0; r < tile; ++r)
        for (int k = 0; k < tile; ++k)
          for (int c = 0; c < tile; ++c)
            sums[static_cast<std::size_t>(r * tile + c)] +=
                a[static_cast<std::size_t>(r * tile + k)] * b[static_cast<std::size_t>(k * tile + c)];
    }
    for (int r = at.row * tile; r < std::min(p.rows, (at.row + 1) * tile); ++r)
      for (int c = at.column * tile; c < std::min(p.columns, (at.column + 1) * tile); ++c)
        p.c[static_cast<long long>(r) * p.columns + c] =
            round_to_bf16(sums[static_cast<std::size_t>(r % tile * tile + c % tile)]);
  }
}

inline void multiply(const product& p, const int* filled) {
  const tile_order order{blocks_of(p.rows, tile), blocks_of(p.columns, tile), 16};
  const int pairs = static_cast<int>(std::max(1ll, host_threads() / 2));
  in_parallel(pairs, [&](long long w) {
    const auto memory = std::make_unique<operand_line::storage>();
    operand_line line(*memory);
    std::thread fetcher([&] { fetch(line, p, filled, order, static_cast<int>(w), pairs); });
    multiply(line, p, order, static_cast<int>(w), pairs);
    fetcher.join();
  });
}

// The same as filled_kernel does.
inline std::vector<int> find_filled(const product& p) {
  std::vector<int> filled(static_cast<std::size_t>(blocks_of(p.rows, rows_a_block)), 0);
  for (int r = 0; r < p.rows; ++r) {
    int& longest = filled[static_cast<std::size_t>(r / rows_a_block)];
    for (int k = p.depth; k > longest; --k)
      if ((p.a[static_cast<long long>(r) * p.depth + k - 1] & 0x7fff) != 0) longest = k;
  }
  return filled;
}

}  // namespace penstock::examples::gemm::host
