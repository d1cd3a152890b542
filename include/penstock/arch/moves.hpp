// What a copy stage returns: which bytes to move. The backend decides how.
#pragma once

#include <penstock/plan/list.hpp>

#include <type_traits>

namespace penstock {

// A contiguous range of global memory; bytes = whole_slot moves exactly one slot.
struct range {
  static constexpr long long whole_slot = -1;
  void* address = nullptr;
  long long bytes = whole_slot;
};

// The same, with the caller's promise that address and bytes are multiples of 16: no check, no slow path.
struct aligned_range {
  void* address = nullptr;
  long long bytes = range::whole_slot;
};

// A strided array cut into boxes of Slot's shape: float[34][36] is 34 rows of 36; a rank-3 array cut by a 2-D slot has
// boxes one element thick along its first axis. Extents and strides count elements, slowest axis first; the last stride
// is 1. Elements outside the array read as zero and are not written.
template <class Slot, int Rank>
struct tiled {
  using element = std::remove_all_extents_t<Slot>;
  static constexpr int rank = Rank;
  static constexpr unsigned box_bytes = sizeof(Slot);
  static_assert(Rank >= 1 && Rank <= 5, "a tiled array has 1 to 5 axes");
  static_assert(std::rank_v<Slot> >= 1 && std::rank_v<Slot> <= Rank,
                "the slot must be an array with at most as many axes as the tiled array");

  alignas(128) unsigned char map[128]{};  // the hardware's tensor map; meaningful where mapped is set
  element* base = nullptr;
  long long extent[Rank]{};
  long long stride[Rank]{};
  bool mapped = false;

  // Elements of a box along an axis.
  static PENSTOCK_HD constexpr int box(int axis) {
    constexpr int lead = Rank - static_cast<int>(std::rank_v<Slot>);
    return axis < lead ? 1 : extents_of(axis - lead);
  }

 private:
  static PENSTOCK_HD constexpr int extents_of(int k) {
    constexpr int sizes[5] = {static_cast<int>(std::extent_v<Slot, 0>), static_cast<int>(std::extent_v<Slot, 1>),
                              static_cast<int>(std::extent_v<Slot, 2>), static_cast<int>(std::extent_v<Slot, 3>),
                              static_cast<int>(std::extent_v<Slot, 4>)};
    return sizes[k];
  }
};

// One box of a tiled array: the coordinates of its first element, which may lie outside the array, less than 2^31 from
// its origin.
template <class Tiled>
struct tile {
  static constexpr unsigned box_bytes = Tiled::box_bytes;
  static constexpr int alignment = 128;  // of a slot, or of the part of one, that a box goes to or comes from
  const Tiled* array = nullptr;
  long long at[Tiled::rank]{};

  // Can the copy engine fetch it? A row that does not start at a multiple of 16 bytes is an illegal instruction to it.
  PENSTOCK_HD constexpr bool mapped() const { return array->mapped && whole_pieces(at[Tiled::rank - 1]); }
  // And write it? The engine writes whole pieces of 16 bytes, also where only the first bytes of one are in the array.
  PENSTOCK_HD constexpr bool mapped_for_writing() const {
    return mapped() && whole_pieces(array->extent[Tiled::rank - 1]);
  }

 private:
  static PENSTOCK_HD constexpr bool whole_pieces(long long elements) {
    return elements * static_cast<long long>(sizeof(typename Tiled::element)) % 16 == 0;
  }
};

// What from(...) and to(...) return: a move and its direction, which must be that of the stage.
template <class Move>
struct incoming {
  Move move;
};
template <class Move>
struct outgoing {
  Move move;
};
template <class Said>
inline constexpr bool is_incoming = false;
template <class Move>
inline constexpr bool is_incoming<incoming<Move>> = true;
template <class Said>
inline constexpr bool is_outgoing = false;
template <class Move>
inline constexpr bool is_outgoing<outgoing<Move>> = true;

template <class T>
PENSTOCK_HD constexpr incoming<range> from(const T* address) {
  return {{const_cast<std::remove_const_t<T>*>(address), range::whole_slot}};
}
template <class T>
PENSTOCK_HD constexpr incoming<range> from(const T* address, long long count) {
  return {{const_cast<std::remove_const_t<T>*>(address), count * static_cast<long long>(sizeof(T))}};
}
template <class T>
PENSTOCK_HD constexpr outgoing<range> to(T* address) {
  static_assert(!std::is_const_v<T>, "what to(...) names is written, so it must not be const");
  return {{const_cast<std::remove_const_t<T>*>(address), range::whole_slot}};
}
template <class T>
PENSTOCK_HD constexpr outgoing<range> to(T* address, long long count) {
  static_assert(!std::is_const_v<T>, "what to(...) names is written, so it must not be const");
  return {{const_cast<std::remove_const_t<T>*>(address), count * static_cast<long long>(sizeof(T))}};
}

template <class T>
PENSTOCK_HD constexpr incoming<aligned_range> from_aligned(const T* address) {
  return {{const_cast<std::remove_const_t<T>*>(address)}};
}
template <class T>
PENSTOCK_HD constexpr outgoing<aligned_range> to_aligned(T* address) {
  static_assert(!std::is_const_v<T>, "what to_aligned(...) names is written, so it must not be const");
  return {{const_cast<std::remove_const_t<T>*>(address)}};
}

template <class Slot, int Rank, class... Index>
PENSTOCK_HD constexpr incoming<tile<tiled<Slot, Rank>>> from(const tiled<Slot, Rank>& array, Index... at) {
  static_assert(sizeof...(Index) == Rank, "one coordinate for each axis of the tiled array");
  return {{&array, {static_cast<long long>(at)...}}};
}
template <class Slot, int Rank, class... Index>
PENSTOCK_HD constexpr outgoing<tile<tiled<Slot, Rank>>> to(const tiled<Slot, Rank>& array, Index... at) {
  return {from(array, at...).move};
}

}  // namespace penstock
