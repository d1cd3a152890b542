// A tiled array whose boxes lie in shared memory as matrix instructions read them: rows of 128, 64 or 32 bytes, the
// 16-byte pieces of each row exchanged by an XOR with its number, so that a column of pieces meets every bank.
#pragma once

#include <penstock/arch/moves.hpp>

namespace penstock {

template <class Slot, int Rank>
struct swizzled {
  using slot_type = Slot;
  using element = std::remove_all_extents_t<Slot>;
  static constexpr int rank = Rank;
  static constexpr int row_bytes = tiled<Slot, Rank>::box(Rank - 1) * static_cast<int>(sizeof(element));
  static_assert(row_bytes == 128 || row_bytes == 64 || row_bytes == 32,
                "a row of a swizzled slot, its last extent, is 128, 64 or 32 bytes");
  // Of a slot: the pattern repeats every 8 rows and follows the address.
  static constexpr int alignment = row_bytes * 8;

  tiled<Slot, Rank> array;
};

// One box of a swizzled array. Only the copy engine can move it: its rows must start at multiples of 16 bytes, and where
// it is written the array's rows must end there too.
template <class Array>
struct swizzled_tile {
  static constexpr unsigned box_bytes = sizeof(typename Array::slot_type);
  static constexpr int alignment = Array::alignment;
  tile<tiled<typename Array::slot_type, Array::rank>> box;
};

template <class Slot, int Rank, class... Index>
PENSTOCK_HD constexpr incoming<swizzled_tile<swizzled<Slot, Rank>>> from(const swizzled<Slot, Rank>& array,
                                                                         Index... at) {
  return {{from(array.array, at...).move}};
}
template <class Slot, int Rank, class... Index>
PENSTOCK_HD constexpr outgoing<swizzled_tile<swizzled<Slot, Rank>>> to(const swizzled<Slot, Rank>& array,
                                                                       Index... at) {
  return {from(array, at...).move};
}

}  // namespace penstock
