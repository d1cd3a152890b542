// Attention's rows beside an f64 reference that meets every key.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "places.hpp"

namespace penstock::examples::attention {

// The largest distance to rows of an f64 reference; rows are spread over heads and tokens, the last one of each is
// there.
inline void verify(const problem& p, const arrays& a) {
  double largest = 0, checked = 0, longest_value = 0;
  for (const float x : a.v) longest_value = std::max(longest_value, std::abs(static_cast<double>(x)));
  // what is left out weighs at most `tolerance`, and moves the mean of the rest by as much; f32 sums and exponents add
  // theirs
  const double allowed = longest_value * (2.0 * static_cast<double>(std::max(p.tolerance, 0.f)) + 2e-5);
  const int step = std::max(1, p.tokens / 61);
  for (int h = 0; h < p.heads; ++h)
    for (int row = p.tokens - 1; row >= 0; row -= step) {
      const std::size_t head = static_cast<std::size_t>(h) * static_cast<std::size_t>(p.tokens) * width;
      const float* const q = a.q.data() + head + static_cast<std::size_t>(row) * width;
      const double slope = static_cast<double>(slope_of(h, p.heads));
      std::vector<double> out(width, 0.0);
      double sum = 0;
      for (int j = 0; j <= row; ++j) {
        const std::size_t at = head + static_cast<std::size_t>(j) * width;
        double dot = 0;
        for (std::size_t d = 0; d < width; ++d) dot += static_cast<double>(q[d]) * static_cast<double>(a.k[at + d]);
        const double weight = std::exp(dot / 8 - slope * (row - j));
        sum += weight;
        for (std::size_t d = 0; d < width; ++d) out[d] += weight * static_cast<double>(a.v[at + d]);
      }
      for (std::size_t d = 0; d < width; ++d, ++checked) {
        const double got = static_cast<double>(a.out[head + static_cast<std::size_t>(row) * width + d]);
        const double distance = std::abs(got - out[d] / sum);
        if (!(distance <= allowed))
          throw std::runtime_error("head " + std::to_string(h) + ", row " + std::to_string(row) + ", column " +
                                   std::to_string(d) + " is " + std::to_string(got) + ", but " +
                                   std::to_string(out[d] / sum) + " in f64");
        largest = std::max(largest, distance);
      }
    }
  std::printf(
      "verified: %.0f elements within %.2g of an f64 reference that meets every key, the furthest off by %.2g\n",
      checked, allowed, largest);
}

}  // namespace penstock::examples::attention
