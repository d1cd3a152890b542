// Moves into and out of a slot by loads and stores of a group's threads.
#pragma once

#include <penstock/arch/cuda/plain_copy.hpp>
#include <penstock/arch/cuda/plain_tile.hpp>

namespace penstock::arch::cuda {

struct plain_moves {
  static __device__ __forceinline__ void plain_in(void* to, range source, int rank, int threads) {
    copy_bytes(to, source.address, source.bytes, rank, threads);
  }
  static __device__ __forceinline__ void plain_in(void* to, aligned_range source, int rank, int threads) {
    copy_bytes(to, source.address, source.bytes, rank, threads);
  }
  template <class Tiled>
  static __device__ __forceinline__ void plain_in(void* to, const tile<Tiled>& source, int rank, int threads) {
    copy_tile_in(to, source, rank, threads);
  }
  static __device__ __forceinline__ void plain_out(range target, const void* from, int rank, int threads) {
    copy_bytes(target.address, from, target.bytes, rank, threads);
  }
  static __device__ __forceinline__ void plain_out(aligned_range target, const void* from, int rank, int threads) {
    copy_bytes(target.address, from, target.bytes, rank, threads);
  }
  template <class Tiled>
  static __device__ __forceinline__ void plain_out(const tile<Tiled>& target, const void* from, int rank, int threads) {
    copy_tile_out(target, from, rank, threads);
  }
};

}  // namespace penstock::arch::cuda
