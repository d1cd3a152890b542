// Copies into a slot on sm_90 that leave the arrival to whoever commits the slot: several parts may make up one slot, and
// a part may start anywhere in it.
#pragma once

#include <penstock/arch/ampere/copy.hpp>
#include <penstock/arch/hopper/barrier.hpp>
#include <penstock/arch/hopper/copy.hpp>
#include <penstock/arch/swizzled.hpp>

namespace penstock::arch::hopper {

struct fetches {
  // By one converged warp: its elected lane expects the bytes and starts the engine.
  static __device__ __forceinline__ void engine_in(void* to, range source, barriers::ring ring, unsigned k, int rank,
                                               int threads) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(source.address) % 16 == 0 && shared_address(to) % 16 == 0;
    const long long whole = aligned ? source.bytes / 16 * 16 : 0;
    if (whole != source.bytes) {
      cuda::threads::warp_barrier();  // the elected lane has waited for the slot on behalf of the others
      cuda::copy_bytes(static_cast<unsigned char*>(to) + whole, static_cast<unsigned char*>(source.address) + whole,
                       source.bytes - whole, rank, threads);
      order::fence_async();
    }
    if (whole > 0) engine_in(to, aligned_range{source.address, whole}, ring, k, rank, threads);
  }
  static __device__ __forceinline__ void engine_in(void* to, aligned_range source, barriers::ring ring, unsigned k, int,
                                                   int) {
    if (!cuda::threads::elected()) return;
    barriers::expect(ring, k, static_cast<unsigned>(source.bytes));
    bulk_in(to, source.address, static_cast<unsigned>(source.bytes), ring + k * barriers::bytes_each);
  }
  template <class Tiled>
  static __device__ __forceinline__ void engine_in(void* to, const tile<Tiled>& source, barriers::ring ring, unsigned k,
                                               int rank, int threads) {
    if (source.mapped()) {
      fetch_box(to, source, ring, k);
    } else {
      cuda::threads::warp_barrier();
      cuda::copy_tile_in(to, source, rank, threads);
      order::fence_async();
    }
  }
  // Its map was made, or there would be no such array.
  template <class Array>
  static __device__ __forceinline__ void engine_in(void* to, const swizzled_tile<Array>& source, barriers::ring ring,
                                               unsigned k, int, int) {
    fetch_box(to, source.box, ring, k);
  }

  // By the threads of a group, each its share; the copies are done when arrive_when_copied's arrival comes.
  template <class Move>
  static __device__ __forceinline__ void async_in(void* to, const Move& source, int rank, int threads) {
    ampere::start_in_part(to, source, rank, threads);
  }

  // By one converged warp, out of a slot.
  template <class Move>
  static __device__ __forceinline__ void engine_out(const Move& target, const void* from, int rank, int threads) {
    copies::start_out(target, from, rank, threads);
  }
  static __device__ __forceinline__ void engine_out(range target, const void* from, int rank, int threads) {
    if (shared_address(from) % 16 == 0) return copies::start_out(target, from, rank, threads);
    cuda::copy_bytes(target.address, from, target.bytes, rank, threads);
    order::fence_async();  // the engine may be next to write this slot
    cuda::threads::warp_barrier();
  }
  template <class Array>
  static __device__ __forceinline__ void engine_out(const swizzled_tile<Array>& target, const void* from, int, int) {
    if (!cuda::threads::elected()) return;
    int c[5];
    map_coordinates(target.box, c);
    tensor_out<Array::rank>(target.box.array->map, c, from);
  }

 private:
  template <class Tiled>
  static __device__ __forceinline__ void fetch_box(void* to, const tile<Tiled>& source, barriers::ring ring, unsigned k) {
    if (!cuda::threads::elected()) return;
    int c[5];
    map_coordinates(source, c);
    // the whole box counts, also where it lies outside the array and is filled with zeros
    barriers::expect(ring, k, Tiled::box_bytes);
    tensor_in<Tiled::rank>(to, source.array->map, c, ring + k * barriers::bytes_each);
  }
};

}  // namespace penstock::arch::hopper
