// Copies without async instructions: every thread of the agent loads and stores its share.
#pragma once

#include <penstock/arch/cuda/plain_copy.hpp>
#include <penstock/arch/cuda/plain_tile.hpp>

namespace penstock::arch::portable {

struct copies {
  template <class Ring>
  static __device__ __forceinline__ void start_in(void* slot, range source, Ring, unsigned, int rank, int threads) {
    cuda::copy_bytes(slot, source.address, source.bytes, rank, threads);
  }
  template <class Ring>
  static __device__ __forceinline__ void start_in(void* slot, aligned_range source, Ring ring, unsigned k, int rank,
                                                  int threads) {
    start_in(slot, range{source.address, source.bytes}, ring, k, rank, threads);
  }
  template <class Tiled, class Ring>
  static __device__ __forceinline__ void start_in(void* slot, const tile<Tiled>& source, Ring, unsigned, int rank,
                                                  int threads) {
    cuda::copy_tile_in(slot, source, rank, threads);
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

}  // namespace penstock::arch::portable
