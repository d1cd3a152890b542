// The product at hand, its numbers, and in which order its tiles are computed.
#pragma once

#include <penstock/plan/list.hpp>

#include <cstdint>
#include <cstring>

namespace penstock::examples::gemm {

using bf16 = std::uint16_t;  // the upper half of a float

PENSTOCK_HD inline float widen(bf16 x) {
  const std::uint32_t bits = static_cast<std::uint32_t>(x) << 16;
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
// To the nearest, ties to even. Not for NaN.
PENSTOCK_HD inline bf16 round_to_bf16(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, 4);
  return static_cast<bf16>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

// c = a b^T: a has rows x depth elements, b columns x depth, c rows x columns, each row contiguous.
struct product {
  const bf16* a = nullptr;
  const bf16* b = nullptr;
  bf16* c = nullptr;
  int rows = 0, columns = 0, depth = 0;
  double flops() const { return 2.0 * rows * columns * depth; }
};

// One value in [-1, 1) for each place of each matrix.
PENSTOCK_HD inline bf16 random_element(std::uint32_t matrix, std::uint64_t place) {
  std::uint32_t x =
      static_cast<std::uint32_t>(place) * 2654435761u ^ static_cast<std::uint32_t>(place >> 32) * 0x9e3779b9u;
  x += matrix * 0x85ebca6bu;
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return round_to_bf16(static_cast<float>(static_cast<std::int32_t>(x)) * 0x1p-31f);
}

// One rounding to bf16 is half a unit in the last place, 2^-9; the sums differ by the order of additions.
PENSTOCK_HD inline float allowed_distance(float reference, int depth) {
  return (reference < 0 ? -reference : reference) * 0x1p-8f + static_cast<float>(depth) * 0x1p-20f;
}

// Rows of `a` share one length: that beyond which they hold nothing but zeros. It is the same for all rows of a block.
constexpr int rows_a_block = 128;

PENSTOCK_HD constexpr int blocks_of(int length, int block) { return (length + block - 1) / block; }

// Tiles in the order in which thread blocks take them. Those computed at a time should share rows and columns, so that
// the L2 cache feeds most of them: `group` tile rows are finished together.
struct tile_order {
  int rows, columns;  // of tiles
  int group;

  PENSTOCK_HD constexpr int count() const { return rows * columns; }
  struct place {
    int row, column;
  };
  PENSTOCK_HD constexpr place at(int k) const {
    const int first = k / (group * columns) * group;
    const int height = rows - first < group ? rows - first : group;
    const int within = k - first * columns;
    return {first + within % height, within / height};
  }
};

}  // namespace penstock::examples::gemm
