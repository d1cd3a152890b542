// Words coded by position: never constant, never the same at two places that an off-by-one could confuse.
#pragma once

#include <penstock/plan/list.hpp>

#include <cstdint>
#include <vector>

namespace coded_words {

using word = std::uint32_t;

PENSTOCK_HD inline word mix(word x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}
inline std::vector<word> coded(long long words, word seed) {
  std::vector<word> v(static_cast<std::size_t>(words));
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = mix(static_cast<word>(k) * 2654435761u + seed);
  return v;
}

}  // namespace coded_words
