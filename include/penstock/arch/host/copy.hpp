// Copies on the host: memcpy, and the same walk over boxes as the devices.
#pragma once

#include <penstock/arch/tile_walk.hpp>

#include <cstring>

namespace penstock::arch::host {

template <class Element>
struct plain_tile_in {
  Element* slot;
  template <int Width>
  void operator()(int offset, const Element* address, int inside) const {
    for (int k = 0; k < Width; ++k) slot[offset + k] = k < inside ? address[k] : Element{};
  }
};

template <class Element>
struct plain_tile_out {
  const Element* slot;
  template <int Width>
  void operator()(int offset, Element* address, int inside) const {
    for (int k = 0; k < inside; ++k) address[k] = slot[offset + k];
  }
};

struct copies {
  template <class Ring>
  static void start_in(void* slot, range source, Ring, unsigned, int, int) {
    if (source.bytes > 0) std::memcpy(slot, source.address, static_cast<std::size_t>(source.bytes));
  }
  template <class Ring>
  static void start_in(void* slot, aligned_range source, Ring ring, unsigned k, int rank, int threads) {
    start_in(slot, range{source.address, source.bytes}, ring, k, rank, threads);
  }
  template <class Tiled, class Ring>
  static void start_in(void* slot, const tile<Tiled>& source, Ring, unsigned, int rank, int threads) {
    using element = typename Tiled::element;
    walk_tile(source, rank, threads, plain_tile_in<element>{static_cast<element*>(slot)});
  }
  static void start_out(range target, const void* slot, int, int) {
    if (target.bytes > 0) std::memcpy(target.address, slot, static_cast<std::size_t>(target.bytes));
  }
  static void start_out(aligned_range target, const void* slot, int rank, int threads) {
    start_out(range{target.address, target.bytes}, slot, rank, threads);
  }
  template <class Tiled>
  static void start_out(const tile<Tiled>& target, const void* slot, int rank, int threads) {
    using element = typename Tiled::element;
    walk_tile(target, rank, threads, plain_tile_out<element>{static_cast<const element*>(slot)});
  }
};

}  // namespace penstock::arch::host
