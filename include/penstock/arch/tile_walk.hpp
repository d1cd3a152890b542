// Walks the boxes of a tiled array piece by piece: which element goes where, and what lies outside.
#pragma once

#include <penstock/arch/moves.hpp>

#include <cstdint>

namespace penstock::arch {

// Splits a box among `threads` and calls piece(offset in the box, address in the array, elements inside, elements) with
// `Width` neighbours along the last axis at a time. Elements before `inside` exist; a piece is never partly before 0.
template <int Width, class Tiled, class Piece>
PENSTOCK_HD void walk_pieces(const tile<Tiled>& t, int rank, int threads, Piece&& piece) {
  constexpr int axes = Tiled::rank;
  constexpr int inner = Tiled::box(axes - 1);
  constexpr int per_row = inner / Width;
  int pieces = per_row;  // a box lies in shared memory: 32 bits count it, and divide faster
  for (int a = 0; a < axes - 1; ++a) pieces *= Tiled::box(a);
  for (int k = rank; k < pieces; k += threads) {
    const int column = k % per_row * Width;
    int row = k / per_row;
    const int offset = row * inner + column;
    const long long x = t.at[axes - 1] + column;
    typename Tiled::element* address = t.array->base + x;
    bool exists = true;
    for (int a = axes - 2; a >= 0; --a) {
      const long long i = t.at[a] + row % Tiled::box(a);
      row /= Tiled::box(a);
      exists = exists && i >= 0 && i < t.array->extent[a];
      address += i * t.array->stride[a];
    }
    long long inside = t.array->extent[axes - 1] - x;
    if (!exists || x < 0 || inside < 0) inside = 0;
    piece(offset, address, inside < Width ? static_cast<int>(inside) : Width);
  }
}

// The widest piece, in elements, that fits 16 bytes and divides a row of the box.
template <class Tiled>
PENSTOCK_HD constexpr int widest_piece() {
  constexpr int size = static_cast<int>(sizeof(typename Tiled::element));
  if (size > 16 || (size & (size - 1)) != 0) return 1;  // no alignment fits several elements of an odd size
  int width = 16 / size;
  while (Tiled::box(Tiled::rank - 1) % width != 0) width /= 2;
  return width;
}

// Do pieces of that width start at multiples of their size, in the array and relative to its left edge?
template <int Width, class Tiled>
PENSTOCK_HD bool pieces_aligned(const tile<Tiled>& t) {
  constexpr long long size = sizeof(typename Tiled::element);
  long long together = static_cast<long long>(reinterpret_cast<std::uintptr_t>(t.array->base)) |
                       t.at[Tiled::rank - 1] * size;
  for (int a = 0; a < Tiled::rank - 1; ++a) together |= t.array->stride[a] * size;
  return together % (Width * size) == 0;
}

// Calls visit(std::integral_constant<int, width>, …) through walk_pieces with the widest width this tile allows.
template <class Tiled, class Piece>
PENSTOCK_HD void walk_tile(const tile<Tiled>& t, int rank, int threads, Piece&& piece) {
  constexpr int wide = widest_piece<Tiled>();
  if (wide > 1 && pieces_aligned<wide>(t))
    walk_pieces<wide>(t, rank, threads, [&](int o, typename Tiled::element* a, int inside) {
      piece.template operator()<wide>(o, a, inside);
    });
  else
    walk_pieces<1>(t, rank, threads, [&](int o, typename Tiled::element* a, int inside) {
      piece.template operator()<1>(o, a, inside);
    });
}

}  // namespace penstock::arch
