// How the elements of several arrays are cut into vectors of at most 16 bytes, the same elements of each together.
#pragma once

#include <penstock/algorithm/arguments.hpp>
#include <penstock/plan/list.hpp>

#include <algorithm>
#include <utility>

namespace penstock::detail {

PENSTOCK_HD constexpr bool is_power_of_two(std::size_t n) { return n != 0 && (n & (n - 1)) == 0; }

// Elements in a vector: 16 bytes of the widest type; 1 where a type has no vectors.
template <class... T>
constexpr int vector_width() {
  if (!(is_power_of_two(sizeof(T)) && ...) || ((sizeof(T) > 16) || ...)) return 1;
  std::size_t widest = 1;
  ((widest = sizeof(T) > widest ? sizeof(T) : widest), ...);
  return static_cast<int>(16 / widest);
}

// Elements 0 … head-1 one by one, then `vectors` vectors, then the rest one by one.
template <int Inputs>
struct split_arrays {
  long long count, head, vectors;
  unsigned skip[Inputs > 0 ? Inputs : 1];  // bytes by which an input lags behind alignment where the vectors begin
  bool shifted = false;                    // any of them is not 0
};

struct array_place {
  std::uintptr_t address;
  long long size;  // of an element
};

// No vector reads outside its array, also where it is put together from two aligned words.
template <int Inputs>
split_arrays<Inputs> split(int width, array_place out, const array_place (&in)[Inputs], long long count) {
  split_arrays<Inputs> s{count, 0, 0, {}, false};
  if (!is_power_of_two(static_cast<std::size_t>(out.size)) || out.size > 16) return s;
  // whole cache lines for large arrays, so that no two warps write one
  const long long line = count >= 4096 ? 128 : width * out.size;
  const long long before = (line - static_cast<long long>(out.address % static_cast<std::uintptr_t>(line))) % line;
  if (before % out.size != 0) return s;  // elements straddle the words: no vector fits
  s.head = before / out.size;
  bool early = false;  // a shifted input would read from before its first element
  for (int k = 0; k < Inputs; ++k) {
    if (!is_power_of_two(static_cast<std::size_t>(in[k].size)) || in[k].size > 16) continue;  // read as they are
    const std::uintptr_t start = in[k].address + static_cast<std::uintptr_t>(s.head * in[k].size);
    s.skip[k] = static_cast<unsigned>(start % static_cast<std::uintptr_t>(width * in[k].size));
    s.shifted = s.shifted || s.skip[k] != 0;
    early = early || s.head * in[k].size < static_cast<long long>(s.skip[k]);
  }
  if (early) s.head += line / out.size;  // a multiple of the width: the skips stay
  s.vectors = count > s.head ? (count - s.head) / width : 0;
  for (int k = 0; k < Inputs; ++k) {
    if (s.skip[k] == 0) continue;
    const long long words = ((count - s.head) * in[k].size + s.skip[k]) / (width * in[k].size);
    s.vectors = std::min(s.vectors, words - 1);  // the last vector takes the last two words
  }
  if (s.vectors <= 0) {
    s.vectors = 0;
    s.head = count;
  }
  return s;
}

}  // namespace penstock::detail
