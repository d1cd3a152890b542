// Boxes of tiled arrays by loads and stores of cooperating threads.
#pragma once

#include <penstock/arch/tile_walk.hpp>

namespace penstock::arch::cuda {

template <class Element>
struct plain_tile_in {
  Element* slot;
  template <int Width>
  __device__ __forceinline__ void operator()(int offset, const Element* address, int inside) const {
    if constexpr (Width > 1) {
      struct alignas(Width * sizeof(Element)) pack { Element e[Width]; };
      if (inside == Width) {
        *reinterpret_cast<pack*>(slot + offset) = *reinterpret_cast<const pack*>(address);
        return;
      }
    }
    for (int k = 0; k < Width; ++k) slot[offset + k] = k < inside ? address[k] : Element{};
  }
};

template <class Element>
struct plain_tile_out {
  const Element* slot;
  template <int Width>
  __device__ __forceinline__ void operator()(int offset, Element* address, int inside) const {
    if constexpr (Width > 1) {
      struct alignas(Width * sizeof(Element)) pack { Element e[Width]; };
      if (inside == Width) {
        *reinterpret_cast<pack*>(address) = *reinterpret_cast<const pack*>(slot + offset);
        return;
      }
    }
    for (int k = 0; k < Width; ++k) if (k < inside) address[k] = slot[offset + k];
  }
};

template <class Tiled>
__device__ __forceinline__ void copy_tile_in(void* slot, const tile<Tiled>& t, int rank, int threads) {
  using element = typename Tiled::element;
  walk_tile(t, rank, threads, plain_tile_in<element>{static_cast<element*>(slot)});
}

template <class Tiled>
__device__ __forceinline__ void copy_tile_out(const tile<Tiled>& t, const void* slot, int rank, int threads) {
  using element = typename Tiled::element;
  walk_tile(t, rank, threads, plain_tile_out<element>{static_cast<const element*>(slot)});
}

}  // namespace penstock::arch::cuda
