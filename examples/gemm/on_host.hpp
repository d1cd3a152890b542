// The product on the host, and beside a plain one.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "host.hpp"
#include "report.hpp"

namespace penstock::examples::gemm {

inline void multiply_on_host(const settings& s) {
  std::vector<bf16> a(static_cast<std::size_t>(s.rows) * static_cast<std::size_t>(s.depth)),
      b(static_cast<std::size_t>(s.columns) * static_cast<std::size_t>(s.depth)),
      c(static_cast<std::size_t>(s.rows) * static_cast<std::size_t>(s.columns), bf16{0x7fc0});
  const std::vector<int> ends = ends_of(s);
  const auto depth = static_cast<std::size_t>(s.depth);
  for (std::size_t k = 0; k < a.size(); ++k)
    a[k] = static_cast<int>(k % depth) < ends[k / depth / rows_a_block] ? random_element(1, k) : bf16{0};
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = random_element(2, k);
  const product p{a.data(), b.data(), c.data(), s.rows, s.columns, s.depth};
  const std::vector<int> filled = host::find_filled(p);
  std::vector<double> seconds;
  for (int k = 0; k < s.repeats; ++k) seconds.push_back(seconds_of([&] { host::multiply(p, filled.data()); }));
  print_speed("penstock", p, median(seconds));
  std::printf("\n");
  if (!s.verify) return;
  // all elements of a small product, one in some of a large one
  const long long count = static_cast<long long>(s.rows) * s.columns;
  const long long stride = std::max(1ll, count * s.depth >> 28) | 1;
  unsigned long long wrong = 0;
  double checked = 0, largest = 0;
  for (long long k = 0; k < count; k += stride, ++checked) {
    float sum = 0;
    for (int i = 0; i < s.depth; ++i)
      sum += widen(a[static_cast<std::size_t>(k / s.columns * s.depth + i)]) *
             widen(b[static_cast<std::size_t>(k % s.columns * s.depth + i)]);
    const float distance = std::abs(widen(c[static_cast<std::size_t>(k)]) - sum);
    wrong += !(distance <= allowed_distance(sum, s.depth));
    largest = std::max(largest, static_cast<double>(distance));
  }
  verified(p, wrong, checked, largest);
}

}  // namespace penstock::examples::gemm
