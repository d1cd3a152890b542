// Copies in by cp.async on sm_80, 16, 8 or 4 bytes a thread at a time; what is narrower, and copies out, by loads and
// stores. PTX ISA, section "cp.async".
#pragma once

#include <penstock/arch/cuda/plain_copy.hpp>
#include <penstock/arch/cuda/plain_tile.hpp>

namespace penstock::arch::ampere {

// Reads `valid` of Bytes bytes and fills the rest with zeros.
template <int Bytes>
__device__ __forceinline__ void copy_async(void* slot, const void* source, int valid) {
  const std::uint32_t address = static_cast<std::uint32_t>(__cvta_generic_to_shared(slot));
  if constexpr (Bytes == 16)  // past L1: a streamed line is not read twice
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(source), "r"(valid) : "memory");
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(address), "l"(source), "n"(Bytes), "r"(valid)
                 : "memory");
}

template <int Bytes>
__device__ __forceinline__ void copy_async_words(unsigned char* slot, const unsigned char* source, long long words,
                                                 int rank, int threads) {
  for (long long k = rank; k < words; k += threads) copy_async<Bytes>(slot + k * Bytes, source + k * Bytes, Bytes);
}

template <class Element>
struct async_tile_in {
  Element* slot;
  template <int Width>
  __device__ __forceinline__ void operator()(int offset, const Element* address, int inside) const {
    constexpr int bytes = Width * static_cast<int>(sizeof(Element));
    constexpr bool aligned = Width > 1 || alignof(Element) % bytes == 0;  // wide pieces were looked at
    if constexpr (aligned && (bytes == 4 || bytes == 8 || bytes == 16)) {
      // nothing is read when nothing is inside, but the address must still be a valid one
      copy_async<bytes>(slot + offset, inside > 0 ? address : static_cast<const Element*>(base),
                        inside * static_cast<int>(sizeof(Element)));
    } else {
      cuda::plain_tile_in<Element>{slot}.template operator()<Width>(offset, address, inside);
    }
  }
  const Element* base;
};

struct copies {
  template <class Ring>
  static __device__ __forceinline__ void start_in(void* slot, range source, Ring, unsigned, int rank, int threads) {
    unsigned char* d = static_cast<unsigned char*>(slot);
    const unsigned char* s = static_cast<const unsigned char*>(source.address);
    const unsigned offset = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(s)) % 16;
    long long done = 0;
    if (offset == 0) { copy_async_words<16>(d, s, source.bytes / 16, rank, threads); done = source.bytes / 16 * 16; }
    else if (offset % 8 == 0) { copy_async_words<8>(d, s, source.bytes / 8, rank, threads); done = source.bytes / 8 * 8; }
    else if (offset % 4 == 0) { copy_async_words<4>(d, s, source.bytes / 4, rank, threads); done = source.bytes / 4 * 4; }
    cuda::copy_bytes(d + done, s + done, source.bytes - done, rank, threads);
  }
  template <class Ring>
  static __device__ __forceinline__ void start_in(void* slot, aligned_range source, Ring, unsigned, int rank,
                                                  int threads) {
    copy_async_words<16>(static_cast<unsigned char*>(slot), static_cast<const unsigned char*>(source.address),
                         source.bytes / 16, rank, threads);
  }
  template <class Tiled, class Ring>
  static __device__ __forceinline__ void start_in(void* slot, const tile<Tiled>& source, Ring, unsigned, int rank,
                                                  int threads) {
    using element = typename Tiled::element;
    walk_tile(source, rank, threads, async_tile_in<element>{static_cast<element*>(slot), source.array->base});
  }
  static __device__ __forceinline__ void start_out(range target, const void* slot, int rank, int threads) {
    cuda::copy_bytes(target.address, slot, target.bytes, rank, threads);
  }
  static __device__ __forceinline__ void start_out(aligned_range target, const void* slot, int rank, int threads) {
    start_out(range{target.address, target.bytes}, slot, rank, threads);
  }
  template <class Tiled>
  static __device__ __forceinline__ void start_out(const tile<Tiled>& target, const void* slot, int rank, int threads) {
    cuda::copy_tile_out(target, slot, rank, threads);
  }
};

// The same into a part of a slot, which may start anywhere in it.
template <class Move>
__device__ __forceinline__ void start_in_part(void* to, const Move& source, int rank, int threads) {
  copies::start_in(to, source, 0u, 0u, rank, threads);
}
__device__ __forceinline__ void start_in_part(void* to, range source, int rank, int threads) {
  if (reinterpret_cast<std::uintptr_t>(to) % 16 == 0) copies::start_in(to, source, 0u, 0u, rank, threads);
  else cuda::copy_bytes(to, source.address, source.bytes, rank, threads);
}

}  // namespace penstock::arch::ampere
