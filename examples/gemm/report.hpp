// What is to be multiplied, and how its speed and its correctness are reported.
#pragma once

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "shape.hpp"

namespace penstock::examples::gemm {

struct settings {
  int rows = 0, columns = 0, depth = 0;
  int filled = 100;  // per cent of the depth that a's rows hold
  bool ragged = false;
  int repeats = 0;
  bool verify = false;
};

// Where the rows of each block of a end: all alike, or each block for itself, some at once.
inline std::vector<int> ends_of(const settings& s) {
  const int most = static_cast<int>(static_cast<long long>(s.depth) * s.filled / 100);
  std::vector<int> ends(static_cast<std::size_t>(blocks_of(s.rows, rows_a_block)), most);
  if (s.ragged)
    for (std::size_t k = 0; k < ends.size(); ++k) ends[k] = most - static_cast<int>(most * (k * 7 % 16) / 15);
  return ends;
}

inline void print_speed(const char* who, const product& p, double seconds) {
  const double speed = 1e-12 * p.flops() / seconds;
  std::printf("%s: %.3f ms, %.1f %s", who, 1e3 * seconds, speed < 1 ? 1e3 * speed : speed,
              speed < 1 ? "GFLOP/s" : "TFLOP/s");
}

inline void verified(const product& p, unsigned long long wrong, double checked, double largest) {
  if (wrong > 0)
    throw std::runtime_error("the product is wrong: " + std::to_string(wrong) +
                             " elements are further from the plain "
                             "product than rounding explains, the furthest by " +
                             std::to_string(largest));
  std::printf("verified: %.0f of %.0f elements within one rounding of the plain product, the furthest off by %g\n",
              checked, 1.0 * p.rows * p.columns, largest);
}

}  // namespace penstock::examples::gemm
