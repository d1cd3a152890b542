// pack and unpack: the cells that 26 neighbours of a 3-D array need from it or provide to it, all in one launch.
#pragma once

#include <penstock/algorithm/detail/row_kernels.hpp>

#include <limits>

namespace penstock {

// An array of n[0] × n[1] × n[2] cells, slowest axis first, inside a margin of halo[a] ghost cells on both sides of
// each axis: dense, (n + 2 halo) elements along each. Neighbour (z, y, x), each -1, 0 or 1, has index 9 (z + 1) + 3 (y
// + 1) + x + 1.
struct halo_shape {
  long long n[3]{};
  long long halo[3]{};
};

// Where each neighbour's cells lie in the buffer, in elements: dense boxes in the order of their indices, each
// beginning at a multiple of 128 bytes. Index 13, the array itself, is empty.
struct halo_layout {
  long long offset[27]{};
  long long count[27]{};
  long long total = 0;  // elements of the whole buffer
};

namespace detail {

// Refuses what makes no sense and what no address reaches; then all sums over the cells of an array fit 64 bits.
inline void check_halo(const halo_shape& s, long long cell_bytes) {
  constexpr long long most =
      std::numeric_limits<long long>::max() / 64;  // 27 parts, each less than the array, and a line
  long long cells = 1;
  for (int a = 0; a < 3; ++a) {
    const auto given = [&] {
      return "axis " + std::to_string(a) + " has " + std::to_string(s.n[a]) + " cells and a halo of " +
             std::to_string(s.halo[a]);
    };
    if (s.n[a] < 0 || s.halo[a] < 0) refuse(std::errc::invalid_argument, given() + "; both must be 0 or more");
    if (s.halo[a] > s.n[a])
      refuse(std::errc::invalid_argument,
             given() + "; it may have no more than cells, for one neighbour provides them alone");
    if (s.n[a] > most || __builtin_mul_overflow(cells, std::max(1ll, s.n[a] + 2 * s.halo[a]), &cells) ||
        cells > most / cell_bytes)
      refuse(std::errc::value_too_large, given() + "; with its margin the array may have at most " +
                                             std::to_string(most / cell_bytes) + " cells of " +
                                             std::to_string(cell_bytes) + " bytes");
  }
}

inline long long side_cells(const halo_shape& s, int axis, int side) { return side == 0 ? s.n[axis] : s.halo[axis]; }

// Where the cells for a side begin along an axis of the array with its margin: inside it to pack, in the margin to
// unpack.
inline long long side_begin(const halo_shape& s, int axis, int side, bool ghosts) {
  const long long h = s.halo[axis], n = s.n[axis];
  if (side == 0) return h;
  if (side < 0) return ghosts ? 0 : h;
  return ghosts ? h + n : n;
}

}  // namespace detail

// The layout of the buffer that pack writes and unpack reads. Throws penstock::error where a number is negative, a halo
// is wider than its array, or the array is larger than memory can be.
template <class T>
halo_layout halo_buffer(const halo_shape& s) {
  detail::check_halo(s, sizeof(T));
  constexpr long long line = 128 % sizeof(T) == 0 ? 128 / static_cast<long long>(sizeof(T)) : 128;
  halo_layout l;
  for (int k = 0; k < 27; ++k) {
    l.offset[k] = l.total;
    if (k == 13) continue;
    l.count[k] = detail::side_cells(s, 0, k / 9 - 1) * detail::side_cells(s, 1, k / 3 % 3 - 1) *
                 detail::side_cells(s, 2, k % 3 - 1);
    l.total += (l.count[k] + line - 1) / line * line;
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
  const long long array_bytes = wide[0] * wide[1] * wide[2] * size, buffer_bytes = layout.total * size;
  if (buffer_bytes == 0) return;
  check_memory(array, array_bytes, alignof(T), "the array");
  check_memory(buffer, buffer_bytes, alignof(T), "the buffer");
  check_disjoint(buffer, buffer_bytes, array, array_bytes, in_place::no, "the buffer", "the array");
  const char* what = pack ? "cannot launch the packing of the halo" : "cannot launch the unpacking of the halo";
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
    add_to_list(stream, list, normalised(c), false, what);
  }
  start_row_list(stream, list, what);
}

}  // namespace detail

// Gathers from the array what each neighbour needs: the cells next to that side, into the neighbour's part of the
// buffer, which has halo_buffer<T>(shape).total elements. One launch on `stream`, a stream of the current device, for
// up to 2^31 words a part; asynchronous, usable in graph capture, no temporary memory. Throws penstock::error before
// anything is launched: where the array or the buffer is null or misaligned, they overlap, or halo_buffer refuses the
// shape.
template <class Buffer, class Array>
void pack(cudaStream_t stream, Buffer buffer, Array array, const halo_shape& shape) {
  using T = detail::written_element_of<Buffer>;
  static_assert(std::is_same_v<T, std::remove_const_t<detail::element_of<Array>>>,
                "a halo and its array have one type");
  detail::move_halo<T>(stream, contiguous<Buffer>::address(buffer), const_cast<T*>(contiguous<Array>::address(array)),
                       shape, true);
}

// Spreads a buffer of the same layout over the array's margin: part (z, y, x) is what lies beyond that side. As pack in
// all else.
template <class Array, class Buffer>
void unpack(cudaStream_t stream, Array array, Buffer buffer, const halo_shape& shape) {
  using T = detail::written_element_of<Array>;
  static_assert(std::is_same_v<T, std::remove_const_t<detail::element_of<Buffer>>>,
                "a halo and its array have one type");
  detail::move_halo<T>(stream, const_cast<T*>(contiguous<Buffer>::address(buffer)), contiguous<Array>::address(array),
                       shape, false);
}

}  // namespace penstock
