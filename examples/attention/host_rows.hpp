// A block of rows on the host: one thread, row by row.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "lines.hpp"

namespace penstock::examples::attention {

struct host_row {
  float largest = -std::numeric_limits<float>::infinity();
  float sum = 0;
  float query = 0;  // its length, in units of log 2
  float out[width] = {};
};

inline float length_of(const float* x) {
  float sum = 0;
  for (int d = 0; d < width; ++d) sum += x[d] * x[d];
  return std::sqrt(sum);
}

inline void meet(host_row& r, const float* q, int row, float slope, const keys& k, const keys& v, int block) {
  const int count = std::min(key_block, row - block * key_block + 1);  // keys that are not later than the row
  if (count <= 0) return;
  float score[key_block], largest = r.largest;
  for (int j = 0; j < count; ++j) {
    float dot = 0;
    for (int d = 0; d < width; ++d) dot += q[d] * k[j][d];
    score[j] = dot * to_log2 - slope * static_cast<float>(row - block * key_block - j);
    largest = std::max(largest, score[j]);
  }
  const float shrink = exp2f(r.largest - largest);
  r.largest = largest;
  r.sum *= shrink;
  for (float& x : r.out) x *= shrink;
  for (int j = 0; j < count; ++j) {
    const float weight = exp2f(score[j] - largest);
    r.sum += weight;
    for (int d = 0; d < width; ++d) r.out[d] += weight * v[j][d];
  }
}

inline long long attend_on_host(const problem& p, const key_map& k, const key_map& v, int head, int b) {
  const long long first = static_cast<long long>(head) * p.tokens + b * row_block;
  const int rows = std::min(row_block, p.tokens - b * row_block);
  const float slope = slope_of(head, p.heads) * log2_e;
  std::vector<host_row> state(static_cast<std::size_t>(rows));
  for (int r = 0; r < rows; ++r)
    state[static_cast<std::size_t>(r)].query = length_of(p.q + (first + r) * width) * to_log2;

  const long long nearest = p.blocks_before(b) - 1;
  const run_result result = run<attention_line, sequential>(
      nearest + 1, on<"read k">([&](long long i) { return from(k, head, (nearest - i) * key_block, 0); }),
      on<"read v">([&](long long i) { return from(v, head, (nearest - i) * key_block, 0); }),
      on<"attend">([&](const auto&, const keys& ks, const keys& vs, long long i) {
        const int block = static_cast<int>(nearest - i);
        bool done = block > 0;
        for (int r = 0; r < rows; ++r) {
          host_row& s = state[static_cast<std::size_t>(r)];
          const int row = b * row_block + r;
          meet(s, p.q + (first + r) * width, row, slope, ks, vs, block);
          done = done && nothing_left(row, block * key_block, s.query, p.reach[head * p.key_blocks() + block - 1],
                                      slope, s.largest, s.sum, p.tolerance);
        }
        return done ? stop : go;
      }));
  for (int r = 0; r < rows; ++r)
    for (int d = 0; d < width; ++d) {
      const host_row& s = state[static_cast<std::size_t>(r)];
      p.out[(first + r) * width + d] = s.out[d] / s.sum;
    }
  return result.iterations;
}

inline std::vector<float> reach_on_host(const problem& p) {
  const int blocks = p.key_blocks();
  std::vector<float> reach(static_cast<std::size_t>(p.heads) * static_cast<std::size_t>(blocks), 0);
  for (int h = 0; h < p.heads; ++h)
    for (int b = 0; b < blocks; ++b) {
      float& r = reach[static_cast<std::size_t>(h * blocks + b)];
      if (b > 0) r = reach[static_cast<std::size_t>(h * blocks + b - 1)];
      for (int t = b * key_block; t < std::min(p.tokens, (b + 1) * key_block); ++t)
        r = std::max(r, length_of(p.k + (static_cast<long long>(h) * p.tokens + t) * width));
    }
  return reach;
}

}  // namespace penstock::examples::attention
