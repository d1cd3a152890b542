// Copies by the bulk engine on sm_90, started by one lane of a converged warp; the rest of the warp moves what the engine
// cannot: unaligned ranges, the last bytes of odd sizes, boxes that no tensor map can move. PTX ISA, section
// "cp.async.bulk".
#pragma once

#include <penstock/arch/cuda/plain_copy.hpp>
#include <penstock/arch/cuda/plain_tile.hpp>
#include <penstock/arch/cuda/threads.hpp>
#include <penstock/arch/hopper/order.hpp>
#include <penstock/arch/hopper/signal.hpp>

namespace penstock::arch::hopper {

__device__ __forceinline__ std::uint32_t shared_address(const void* p) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ void bulk_in(void* slot, const void* source, unsigned bytes, signals::ring signal) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
          shared_address(slot)), "l"(source), "r"(bytes), "r"(signal) : "memory");
}
__device__ __forceinline__ void bulk_out(void* target, const void* slot, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(target), "r"(shared_address(slot)),
               "r"(bytes) : "memory");
}

// Coordinates reversed: the tensor map counts axes from the fastest.
template <int Rank>
__device__ __forceinline__ void tensor_in(void* slot, const void* map, const int (&c)[5], signals::ring signal) {
  const std::uint32_t s = shared_address(slot);
  const std::uint64_t m = reinterpret_cast<std::uint64_t>(map);
#define PENSTOCK_TENSOR_IN(RANK, COORDINATES)                                                                     \
  "cp.async.bulk.tensor." #RANK "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" COORDINATES \
  "}], [%2];"
  if constexpr (Rank == 1)
    asm volatile(PENSTOCK_TENSOR_IN(1, "%3") ::"r"(s), "l"(m), "r"(signal), "r"(c[0]) : "memory");
  else if constexpr (Rank == 2)
    asm volatile(PENSTOCK_TENSOR_IN(2, "%3, %4") ::"r"(s), "l"(m), "r"(signal), "r"(c[0]), "r"(c[1]) : "memory");
  else if constexpr (Rank == 3)
    asm volatile(PENSTOCK_TENSOR_IN(3, "%3, %4, %5") ::"r"(s), "l"(m), "r"(signal), "r"(c[0]), "r"(c[1]), "r"(c[2])
                 : "memory");
  else if constexpr (Rank == 4)
    asm volatile(PENSTOCK_TENSOR_IN(4, "%3, %4, %5, %6") ::"r"(s), "l"(m), "r"(signal), "r"(c[0]), "r"(c[1]),
                 "r"(c[2]), "r"(c[3]) : "memory");
  else
    asm volatile(PENSTOCK_TENSOR_IN(5, "%3, %4, %5, %6, %7") ::"r"(s), "l"(m), "r"(signal), "r"(c[0]), "r"(c[1]),
                 "r"(c[2]), "r"(c[3]), "r"(c[4]) : "memory");
#undef PENSTOCK_TENSOR_IN
}

template <int Rank>
__device__ __forceinline__ void tensor_out(const void* map, const int (&c)[5], const void* slot) {
  const std::uint32_t s = shared_address(slot);
  const std::uint64_t m = reinterpret_cast<std::uint64_t>(map);
#define PENSTOCK_TENSOR_OUT(RANK, COORDINATES) \
  "cp.async.bulk.tensor." #RANK "d.global.shared::cta.tile.bulk_group [%0, {" COORDINATES "}], [%1];"
  if constexpr (Rank == 1)
    asm volatile(PENSTOCK_TENSOR_OUT(1, "%2") ::"l"(m), "r"(s), "r"(c[0]) : "memory");
  else if constexpr (Rank == 2)
    asm volatile(PENSTOCK_TENSOR_OUT(2, "%2, %3") ::"l"(m), "r"(s), "r"(c[0]), "r"(c[1]) : "memory");
  else if constexpr (Rank == 3)
    asm volatile(PENSTOCK_TENSOR_OUT(3, "%2, %3, %4") ::"l"(m), "r"(s), "r"(c[0]), "r"(c[1]), "r"(c[2]) : "memory");
  else if constexpr (Rank == 4)
    asm volatile(PENSTOCK_TENSOR_OUT(4, "%2, %3, %4, %5") ::"l"(m), "r"(s), "r"(c[0]), "r"(c[1]), "r"(c[2]), "r"(c[3])
                 : "memory");
  else
    asm volatile(PENSTOCK_TENSOR_OUT(5, "%2, %3, %4, %5, %6") ::"l"(m), "r"(s), "r"(c[0]), "r"(c[1]), "r"(c[2]),
                 "r"(c[3]), "r"(c[4]) : "memory");
#undef PENSTOCK_TENSOR_OUT
}

// One word at a time: the registers of this slow path count for every kernel that might take it.
__device__ __forceinline__ void copy_by_warp(void* to, const void* from, long long bytes, int rank) {
  cuda::threads::warp_barrier();  // the elected lane may have waited for the slot on behalf of the others
  cuda::copy_bytes<1>(to, from, bytes, rank, cuda::threads::warp_size);
  order::fence_async();  // the engine may be next to read or write the slot
  cuda::threads::warp_barrier();
}

template <class Tiled>
__device__ __forceinline__ void map_coordinates(const tile<Tiled>& t, int (&c)[5]) {
  for (int a = 0; a < Tiled::rank; ++a) c[a] = static_cast<int>(t.at[Tiled::rank - 1 - a]);
}

struct copies {
  // Can the engine read a tensor map that lies here? Not in a thread's own memory. nvcc 13.0 fails on __isLocal of a
  // __grid_constant__ parameter.
  static __device__ __forceinline__ bool engine_reads(const void* map) {
    unsigned own;
    asm("{\n\t.reg .pred p;\n\tisspacep.local p, %1;\n\tselp.b32 %0, 1, 0, p;\n\t}" : "=r"(own) : "l"(map));
    return own == 0;
  }

  // One instance: its arrival, with the engine's bytes where there are any. Bytes that threads move are in place before
  // the arrival, and fenced for a stage that reads the slot through the engine.
  static __device__ __forceinline__ void start_in(void* slot, range source, signals::ring ring, unsigned k, int rank,
                                                  int threads) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(source.address) % 16 == 0;
    const long long whole = aligned ? source.bytes / 16 * 16 : 0;
    if (whole != source.bytes) {
      copy_by_warp(static_cast<unsigned char*>(slot) + whole, static_cast<unsigned char*>(source.address) + whole,
                   source.bytes - whole, rank);
    }
    if (!cuda::threads::elected()) return;
    if (whole > 0) {  // a bulk copy of size 0 is not a copy
      signals::arrive_expecting(ring, k, static_cast<unsigned>(whole));
      bulk_in(slot, source.address, static_cast<unsigned>(whole), ring + k * signals::bytes_each);
    } else {
      signals::arrive(ring, k);
    }
  }
  static __device__ __forceinline__ void start_in(void* slot, aligned_range source, signals::ring ring, unsigned k, int,
                                                  int) {
    if (!cuda::threads::elected()) return;
    signals::arrive_expecting(ring, k, static_cast<unsigned>(source.bytes));
    bulk_in(slot, source.address, static_cast<unsigned>(source.bytes), ring + k * signals::bytes_each);
  }
  template <class Tiled>
  static __device__ __forceinline__ void start_in(void* slot, const tile<Tiled>& source, signals::ring ring, unsigned k,
                                                  int rank, int threads) {
    if (source.mapped()) {
      if (!cuda::threads::elected()) return;
      int c[5];
      map_coordinates(source, c);
      // the whole box counts, also where it lies outside the array and is filled with zeros
      signals::arrive_expecting(ring, k, Tiled::box_bytes);
      tensor_in<Tiled::rank>(slot, source.array->map, c, ring + k * signals::bytes_each);
    } else {
      cuda::threads::warp_barrier();
      cuda::copy_tile_in(slot, source, rank, threads);
      order::fence_async();
      cuda::threads::warp_barrier();
      if (cuda::threads::elected()) signals::arrive(ring, k);
    }
  }

  static __device__ __forceinline__ void start_out(range target, const void* slot, int rank, int threads) {
    const bool aligned = reinterpret_cast<std::uintptr_t>(target.address) % 16 == 0;
    const long long whole = aligned ? target.bytes / 16 * 16 : 0;
    if (whole != target.bytes) {
      cuda::copy_bytes(static_cast<unsigned char*>(target.address) + whole,
                       static_cast<const unsigned char*>(slot) + whole, target.bytes - whole, rank, threads);
      order::fence_async();  // the engine may be next to write this slot
      cuda::threads::warp_barrier();
    }
    if (whole > 0 && cuda::threads::elected()) bulk_out(target.address, slot, static_cast<unsigned>(whole));
  }
  static __device__ __forceinline__ void start_out(aligned_range target, const void* slot, int, int) {
    if (cuda::threads::elected()) bulk_out(target.address, slot, static_cast<unsigned>(target.bytes));
  }
  template <class Tiled>
  static __device__ __forceinline__ void start_out(const tile<Tiled>& target, const void* slot, int rank, int threads) {
    if (target.mapped_for_writing()) {
      if (!cuda::threads::elected()) return;
      int c[5];
      map_coordinates(target, c);
      tensor_out<Tiled::rank>(target.array->map, c, slot);
    } else {
      cuda::copy_tile_out(target, slot, rank, threads);
      order::fence_async();
      cuda::threads::warp_barrier();
    }
  }
};

}  // namespace penstock::arch::hopper
