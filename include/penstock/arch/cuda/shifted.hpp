// Words at any byte address from aligned loads: two neighbours, shifted together.
#pragma once

#include <cstdint>

namespace penstock::arch::cuda {

template <int Bytes>
struct word;
template <> struct word<1> { using type = unsigned char; };
template <> struct word<2> { using type = unsigned short; };
template <> struct word<4> { using type = unsigned; };
template <> struct word<8> { using type = uint2; };
template <> struct word<16> { using type = uint4; };
template <int Bytes>
using word_t = typename word<Bytes>::type;

// The Bytes (4, 8 or 16) that begin `skip` bytes into low; skip < Bytes and the same for all lanes.
template <int Bytes>
__device__ __forceinline__ word_t<Bytes> shifted(word_t<Bytes> low, word_t<Bytes> high, unsigned skip) {
  constexpr int n = Bytes / 4;
  unsigned w[2 * n];
  __builtin_memcpy(w, &low, Bytes);
  __builtin_memcpy(w + n, &high, Bytes);
  // whole 32-bit words by halving steps, which stay in registers where an index would not
#pragma unroll
  for (int step = n / 2; step >= 1; step /= 2) {
    const bool move = (skip / 4 & static_cast<unsigned>(step)) != 0;
#pragma unroll
    for (int k = 0; k + step < 2 * n; ++k) w[k] = move ? w[k + step] : w[k];
  }
  unsigned r[n];
#pragma unroll
  for (int k = 0; k < n; ++k) r[k] = __funnelshift_r(w[k], w[k + 1], skip % 4 * 8);
  word_t<Bytes> result;
  __builtin_memcpy(&result, r, Bytes);
  return result;
}

// The same straight from memory: `from` is aligned to Bytes, both words are read.
template <int Bytes>
__device__ __forceinline__ word_t<Bytes> load_shifted(const word_t<Bytes>* from, unsigned skip) {
  return shifted<Bytes>(from[0], from[1], skip);
}

}  // namespace penstock::arch::cuda
