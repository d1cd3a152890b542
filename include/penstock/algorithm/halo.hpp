// pack and unpack: the cells that 26 neighbours of a 3-D array need from it or provide to it, all in one launch.
#pragma once

#include <penstock/algorithm/detail/row_kernels.hpp>

namespace penstock {

// An array of n[0] × n[1] × n[2] cells, slowest axis first, inside a margin of halo[a] ghost cells on both sides of each
// axis: dense, (n + 2 halo) elements along each. Neighbour (z, y, x), each -1, 0 or 1, has index 9 (z + 1) + 3 (y + 1) + x + 1.
struct halo_shape {
  long long n[3]{};
  long long halo[3]{};
};

// Where each neighbour's cells lie in the buffer, in elements: dense boxes in the order of their indices, each beginning
// at a multiple of 128 bytes. Index 13, the array itself, is empty.
struct halo_layout {
  long long offset[27]{};
  long long count[27]{};
  long long total = 0;  // elements of the whole buffer
};

namespace detail {

inline void check_halo(const halo_shape& s) {
  for (int a = 0; a < 3; ++a) {
    if (s.n[a] < 0 || s.halo[a] < 0)
      refuse(std::errc::invalid_argument, "axis " + std::to_string(a) + " has " + std::to_string(s.n[a]) + " cells and a halo of " +
                                              std::to_string(s.halo[a]) + "; both must be 0 or more");
    if (s.halo[a] > s.n[a])
      refuse(std::errc::invalid_argument, "axis " + std::to_string(a) + " has a halo of " + std::to_string(s.halo[a]) +
                                              " cells, more than its " + std::to_string(s.n[a]) +
                                              " cells: a neighbour cannot provide them alone");
  }
}

inline long long side_cells(const halo_shape& s, int axis, int side) { return side == 0 ? s.n[axis] : s.halo[axis]; }

// Where the cells for a side begin along an axis of the array with its margin: inside it to pack, in the margin to unpack.
inline long long side_begin(const halo_shape& s, int axis, int side, bool ghosts) {
  const long long h = s.halo[axis], n = s.n[axis];
  if (side == 0) return h;
  if (side < 0) return ghosts ? 0 : h;
  return ghosts ? h + n : n;
}

}  // namespace detail

template <class T>
halo_layout halo_buffer(const halo_shape& s) {
  detail::check_halo(s);
  constexpr long long line = 128 % sizeof(T) == 0 ? 128 / static_cast<long long>(sizeof(T)) : 128;
  halo_layout l;
  for (int k = 0; k < 27; ++k) {
    l.offset[k] = l.total;
    if (k == 13) continue;
    const long long cells = detail::checked_bytes(
        detail::checked_bytes(detail::side_cells(s, 0, k / 9 - 1), detail::side_cells(s, 1, k / 3 % 3 - 1), "the halo"),
        detail::side_cells(s, 2, k % 3 - 1), "the halo");
    l.count[k] = cells;
    l.total += (cells + line - 1) / line * line;
  }
  return l;
}

namespace detail {

template <class T>
void move_halo(cudaStream_t stream, T* buffer, T* array, const halo_shape& s, bool pack) {
  static_assert(std::is_trivially_copyable_v<T>, "halos are moved as bytes: their elements must be trivially copyable");
  constexpr long long size = sizeof(T);
  const halo_layout layout = halo_buffer<T>(s);
  long long wide[3];
  for (int a = 0; a < 3; ++a) wide[a] = s.n[a] + 2 * s.halo[a];
  const long long cells = checked_bytes(checked_bytes(wide[0], wide[1], "the array"), wide[2], "the array");
  const long long array_bytes = checked_bytes(cells, size, "the array"), buffer_bytes = checked_bytes(layout.total, size, "the buffer");
  if (buffer_bytes == 0) return;
  check_memory(array, array_bytes, alignof(T), "the array");
  check_memory(buffer, buffer_bytes, alignof(T), "the buffer");
  check_disjoint(buffer, buffer_bytes, array, array_bytes);
  row_box_list<26> list;
  for (int k = 0; k < 27; ++k) {
    if (layout.count[k] == 0) continue;
    const int side[3] = {k / 9 - 1, k / 3 % 3 - 1, k % 3 - 1};
    strided_copy c;
    c.element = size;
    c.axes = 3;
    long long at = 0;
    for (int a = 0; a < 3; ++a) {
      c.extent[a] = side_cells(s, a, side[a]);
      at = at * wide[a] + side_begin(s, a, side[a], !pack);
    }
    const long long array_stride[3] = {wide[1] * wide[2] * size, wide[2] * size, size};
    const long long buffer_stride[3] = {c.extent[1] * c.extent[2] * size, c.extent[2] * size, size};
    for (int a = 0; a < 3; ++a) {
      c.to_stride[a] = pack ? buffer_stride[a] : array_stride[a];
      c.from_stride[a] = pack ? array_stride[a] : buffer_stride[a];
    }
    unsigned char* in_array = reinterpret_cast<unsigned char*>(array + at);
    unsigned char* in_buffer = reinterpret_cast<unsigned char*>(buffer + layout.offset[k]);
    c.to = pack ? in_buffer : in_array;
    c.from = pack ? in_array : in_buffer;
    c = normalised(c);
    if (items_bound(c) > most_items / 26)
      refuse(std::errc::value_too_large, "a halo is moved by one launch, of at most 2^31 words; this one has more");
    list.add(make_row_box(c));
  }
  start_row_list(stream, list, pack ? "cannot launch the packing of the halo" : "cannot launch the unpacking of the halo");
}

}  // namespace detail

// Gathers from the array what each neighbour needs: the cells next to that side, into the neighbour's part of the buffer
// (see halo_buffer). One launch on `stream`, a stream of the current device; usable in graph capture, no temporary memory.
template <class Buffer, class Array>
void pack(cudaStream_t stream, Buffer buffer, Array array, const halo_shape& shape) {
  using T = detail::element_of<Buffer>;
  static_assert(std::is_same_v<T, std::remove_const_t<detail::element_of<Array>>>, "a halo and its array have one type");
  detail::move_halo<T>(stream, contiguous<Buffer>::address(buffer), const_cast<T*>(contiguous<Array>::address(array)), shape, true);
}

// Spreads a buffer of the same layout over the array's margin: part (z, y, x) is what lies beyond that side.
template <class Array, class Buffer>
void unpack(cudaStream_t stream, Array array, Buffer buffer, const halo_shape& shape) {
  using T = detail::element_of<Array>;
  static_assert(std::is_same_v<T, std::remove_const_t<detail::element_of<Buffer>>>, "a halo and its array have one type");
  detail::move_halo<T>(stream, const_cast<T*>(contiguous<Buffer>::address(buffer)), contiguous<Array>::address(array), shape, false);
}

}  // namespace penstock
