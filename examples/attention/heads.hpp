// Causal attention with a linear bias: which numbers there are, where they lie, and when a row may leave its keys.
//
//   out[i] = sum over j <= i of w(i, j) v[j] / sum of w(i, j),   w(i, j) = exp(q[i] . k[j] / 8 - slope (i - j))
#pragma once

#include <penstock/run/tensor_map.hpp>

#include <cmath>

namespace penstock::examples::attention {

constexpr int width = 64;      // of a query, a key, a value
constexpr int row_block = 64;  // queries that go through the keys together
constexpr int key_block = 32;  // keys that they meet at a time, the nearest ones first

using keys = float[key_block][width];

// Heads x tokens x width each, contiguous.
struct problem {
  const float* q = nullptr;
  const float* k = nullptr;
  const float* v = nullptr;
  float* out = nullptr;
  // For each head and block of keys: the largest length of a key in this block or an earlier one.
  const float* reach = nullptr;
  int heads = 0, tokens = 0;
  // A row leaves when the weights that are left add up to at most this part of those it has met. Negative: never.
  float tolerance = 0;

  PENSTOCK_HD int row_blocks() const { return (tokens + row_block - 1) / row_block; }
  PENSTOCK_HD int key_blocks() const { return (tokens + key_block - 1) / key_block; }
  // Blocks of keys that block b of rows has to meet, without a bound.
  PENSTOCK_HD int blocks_before(int b) const {
    const int end = (b + 1) * row_block < tokens ? (b + 1) * row_block : tokens;
    return (end + key_block - 1) / key_block;
  }
};

constexpr float log2_e = 1.44269504f;
constexpr float to_log2 = log2_e / 8;  // 1 / 8: the root of the width

// Of a head: from 2^(-8 / heads) down to 2^-8.
PENSTOCK_HD inline float slope_of(int head, int heads) {
  return exp2f(-8.f * static_cast<float>(head + 1) / static_cast<float>(heads));
}

// What is left for one row when the keys from `left` on are done with. The row has met weights that add up to `sum`, in
// units of 2^largest; a key of length `reach` scores at most query * reach (Cauchy and Schwarz), and each step further
// away costs `slope`, so that the rest is no more than a geometric series. Scores, slope and query in units of log 2.
PENSTOCK_HD inline bool nothing_left(int row, int left, float query, float reach, float slope, float largest, float sum,
                                     float tolerance) {
  const float series = 1.f / (1.f - exp2f(-slope));
  const float terms = static_cast<float>(left) < series ? static_cast<float>(left) : series;
  const float rest = exp2f(query * reach - slope * static_cast<float>(row - left + 1) - largest) * terms;
  return rest <= tolerance * sum;
}

// One array of all heads, cut into blocks of keys.
using key_map = tiled<keys, 3>;

inline key_map map_of(const float* values, const problem& p) {
  return make_tiled<keys, 3>(const_cast<float*>(values), {p.heads, p.tokens, width});
}

}  // namespace penstock::examples::attention
