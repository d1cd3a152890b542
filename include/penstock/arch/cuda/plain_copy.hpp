// Copies by loads and stores of cooperating threads: any address, any size.
#pragma once

#include <cstdint>

namespace penstock::arch::cuda {

template <class Word>
__device__ __forceinline__ void copy_words(unsigned char* to, const unsigned char* from, long long words, int rank,
                                           int threads) {
  Word* d = reinterpret_cast<Word*>(to);
  const Word* s = reinterpret_cast<const Word*>(from);
  long long k = rank;
  // four independent loads in flight before the first store
  for (; k + 3ll * threads < words; k += 4ll * threads) {
    const Word a = s[k], b = s[k + threads], c = s[k + 2ll * threads], e = s[k + 3ll * threads];
    d[k] = a;
    d[k + threads] = b;
    d[k + 2ll * threads] = c;
    d[k + 3ll * threads] = e;
  }
  for (; k < words; k += threads) d[k] = s[k];
}

// Moves `bytes` bytes with the widest access both addresses allow.
__device__ __forceinline__ void copy_bytes(void* to, const void* from, long long bytes, int rank, int threads) {
  unsigned char* d = static_cast<unsigned char*>(to);
  const unsigned char* s = static_cast<const unsigned char*>(from);
  const unsigned together = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(d) |
                                                  reinterpret_cast<std::uintptr_t>(s));
  long long done = 0;
  if (together % 16 == 0) { copy_words<uint4>(d, s, bytes / 16, rank, threads); done = bytes / 16 * 16; }
  else if (together % 8 == 0) { copy_words<uint2>(d, s, bytes / 8, rank, threads); done = bytes / 8 * 8; }
  else if (together % 4 == 0) { copy_words<unsigned>(d, s, bytes / 4, rank, threads); done = bytes / 4 * 4; }
  copy_words<unsigned char>(d + done, s + done, bytes - done, rank, threads);
}

}  // namespace penstock::arch::cuda
