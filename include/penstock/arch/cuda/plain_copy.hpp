// Copies by loads and stores of cooperating threads: any address, any size.
#pragma once

#include <penstock/arch/cuda/shifted.hpp>

#include <cstdint>

namespace penstock::arch::cuda {

// Together: how many independent loads a thread has in flight before its first store. More hide more latency and take
// more registers.
template <int Together, class Load, class Store>
__device__ __forceinline__ void copy_words(long long words, int rank, int threads, Load&& load, Store&& store) {
  long long k = rank;
  if constexpr (Together > 1) {
    for (; k + (Together - 1ll) * threads < words; k += static_cast<long long>(Together) * threads) {
      decltype(load(k)) w[Together];
#pragma unroll
      for (int u = 0; u < Together; ++u) w[u] = load(k + u * static_cast<long long>(threads));
#pragma unroll
      for (int u = 0; u < Together; ++u) store(k + u * static_cast<long long>(threads), w[u]);
    }
  }
#pragma unroll 1
  for (; k < words; k += threads) store(k, load(k));
}

// Moves `bytes` bytes. Where the addresses differ modulo 16 the target decides; no load touches a 16-byte granule that
// holds no byte of the source.
template <int Together = 4>
__device__ __forceinline__ void copy_bytes(void* to, const void* from, long long bytes, int rank, int threads) {
  unsigned char* d = static_cast<unsigned char*>(to);
  const unsigned char* s = static_cast<const unsigned char*>(from);
  const unsigned before = (16u - static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(d)) % 16) % 16;
  const long long head = before < bytes ? before : bytes;
  const auto by_byte = [&](unsigned char* target, const unsigned char* source, long long count) {
    copy_words<1>(count, rank, threads, [&](long long k) { return source[k]; },
                  [&](long long k, unsigned char b) { target[k] = b; });
  };
  by_byte(d, s, head);
  d += head;
  s += head;
  bytes -= head;
  const unsigned skip = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(s)) % 16;
  long long words = 0;
  if (skip == 0) {
    words = bytes / 16;
    copy_words<Together>(words, rank, threads, [&](long long k) { return reinterpret_cast<const uint4*>(s)[k]; },
                         [&](long long k, uint4 w) { reinterpret_cast<uint4*>(d)[k] = w; });
  } else if (bytes + skip >= 32) {
    words = (bytes + skip) / 16 - 1;
    // aligned loads of two neighbours, shifted together
    const uint4* granules = reinterpret_cast<const uint4*>(s - skip);
    copy_words<Together>(words, rank, threads, [&](long long k) { return load_shifted<16>(granules + k, skip); },
                         [&](long long k, uint4 w) { reinterpret_cast<uint4*>(d)[k] = w; });
  }
  by_byte(d + words * 16, s + words * 16, bytes - words * 16);
}

}  // namespace penstock::arch::cuda
