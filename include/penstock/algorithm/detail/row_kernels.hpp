// The kernels that move rows: one item a thread, or a few for narrow words, whatever the number of axes.
#pragma once

#include <penstock/algorithm/detail/row_boxes.hpp>
#include <penstock/algorithm/detail/start.hpp>
#include <penstock/arch/cuda/shifted.hpp>

namespace penstock::detail {

inline constexpr int row_threads = 256;

// Enough bytes in flight a thread to hide memory's latency, also where words are narrow.
PENSTOCK_HD constexpr int items_each(int width) { return width == 16 || width == realigned ? 1 : width == 8 ? 2 : 4; }

inline unsigned blocks_of(const row_box& b) {
  const unsigned per_block = static_cast<unsigned>(row_threads * items_each(b.width));
  return (b.items + per_block - 1) / per_block;
}

// The value a box is filled with, repeated through 16 bytes where its size divides them.
struct fill_pattern {
  unsigned char bytes[16]{};
  unsigned size = 1;
};

struct row_place {
  unsigned char* to;
  const unsigned char* from;
};

__device__ __forceinline__ row_place find_row(const row_box& b, unsigned row) {
  long long to = 0, from = 0;
  // every axis at a fixed place of the parameters: an index into them would cost more than the divisions
#pragma unroll
  for (int a = 4; a > 0; --a) {
    if (a >= b.axes) continue;
    const long long k = b.extent[a].take(row);
    to += k * b.to_stride[a];
    from += k * b.from_stride[a];
  }
  if (b.axes > 0) {
    to += row * b.to_stride[0];
    from += row * b.from_stride[0];
  }
  return {b.to + to, b.from + from};
}

// Bytes first … last-1 of an aligned chunk of the target, by the widest stores inside it.
__device__ __forceinline__ void store_part(unsigned char* chunk, uint4 v, int first, int last) {
  const unsigned w[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    if (first <= 4 * k && last >= 4 * k + 4) {
      reinterpret_cast<unsigned*>(chunk)[k] = w[k];
    } else {
#pragma unroll
      for (int j = 4 * k; j < 4 * k + 4; ++j)
        if (j >= first && j < last) chunk[j] = static_cast<unsigned char>(w[k] >> (j % 4 * 8));
    }
  }
}

// The 16 bytes at any address of which bytes first … last-1 are wanted; reads aligned words that hold a wanted byte,
// and nothing beyond [begin, end).
__device__ __forceinline__ uint4 load_part(const unsigned char* at, int first, int last, const unsigned char* begin,
                                           const unsigned char* end) {
  const int skip = static_cast<int>(reinterpret_cast<std::uintptr_t>(at) % 16);
  const unsigned char* low = at - skip;
  const bool wants_low = first < 16 - skip, wants_high = last > 16 - skip;
  if ((!wants_low || low >= begin) && (!wants_high || low + 32 <= end) && (wants_high || low + 16 <= end)) {
    uint4 a = make_uint4(0, 0, 0, 0), b = a;
    if (wants_low) a = *reinterpret_cast<const uint4*>(low);
    if (wants_high) b = *reinterpret_cast<const uint4*>(low + 16);
    return arch::cuda::shifted<16>(a, b, static_cast<unsigned>(skip));
  }
  unsigned w[4] = {0, 0, 0, 0};
#pragma unroll
  for (int j = 0; j < 16; ++j)
    if (j >= first && j < last) w[j / 4] |= static_cast<unsigned>(at[j]) << (j % 4 * 8);
  return make_uint4(w[0], w[1], w[2], w[3]);
}

// Chunk `c` of `bytes` bytes that start anywhere in the target's first chunk.
__device__ __forceinline__ void move_chunk(unsigned char* to, const unsigned char* from, long long bytes, long long c,
                                           const unsigned char* begin, const unsigned char* end) {
  const int offset = static_cast<int>(reinterpret_cast<std::uintptr_t>(to) % 16);
  const long long at = 16 * c - offset;  // of the chunk, in the row
  if (at >= bytes) return;
  const int first = c == 0 ? offset : 0;
  const int last = bytes - at < 16 ? static_cast<int>(bytes - at) : 16;
  const uint4 v = load_part(from + at, first, last, begin, end);
  if (first == 0 && last == 16) *reinterpret_cast<uint4*>(to + at) = v;
  else store_part(to + at, v, first, last);
}

template <int Width>
__device__ __forceinline__ void move_items(const row_box& b, unsigned block, const fill_pattern& pattern) {
  constexpr int each = items_each(Width);
  begin_grid();
  const unsigned first = block * (row_threads * each) + threadIdx.x;
  if constexpr (Width == realigned) {
    if (first >= b.items) return;
    unsigned row = first;
    const unsigned chunk = b.per_row.take(row);
    const row_place p = find_row(b, row);
    move_chunk(p.to, p.from, b.row, chunk, b.from, b.from_end);
  } else {
    using word = arch::cuda::word_t<Width>;
    word v[each];
    word* to[each];
#pragma unroll
    for (int k = 0; k < each; ++k) {
      unsigned row = first + static_cast<unsigned>(k * row_threads);
      to[k] = nullptr;
      if (row >= b.items) continue;
      const unsigned item = b.per_row.take(row);
      const row_place p = find_row(b, row);
      to[k] = reinterpret_cast<word*>(p.to) + item;
      if (b.from != nullptr) v[k] = reinterpret_cast<const word*>(p.from)[item];
      else {
        unsigned char bytes[Width];
        unsigned phase = item * Width % pattern.size;
#pragma unroll
        for (int j = 0; j < Width; ++j) {
          bytes[j] = pattern.bytes[phase];
          if (++phase == pattern.size) phase = 0;
        }
        __builtin_memcpy(&v[k], bytes, Width);
      }
    }
#pragma unroll
    for (int k = 0; k < each; ++k) if (to[k] != nullptr) *to[k] = v[k];
  }
}

template <int Width>
__global__ void __launch_bounds__(row_threads) row_box_kernel(const row_box b) {
  move_items<Width>(b, blockIdx.x, fill_pattern{});
}

// Several boxes in one launch: each takes the blocks from its first on. Dozens of 2^31 items each fit one grid.
template <int Boxes>
struct row_box_list {
  row_box box[Boxes];
  unsigned first_block[Boxes + 1]{};
  int count = 0;
  fill_pattern pattern{};

  void add(const row_box& b) {
    if (b.items == 0) return;
    box[count] = b;
    first_block[count + 1] = first_block[count] + blocks_of(b);
    ++count;
  }
};

template <int Boxes>
__global__ void __launch_bounds__(row_threads) row_list_kernel(const __grid_constant__ row_box_list<Boxes> list) {
  int k = 0;
  while (k + 1 < list.count && blockIdx.x >= list.first_block[k + 1]) ++k;
  const row_box& b = list.box[k];
  const unsigned block = blockIdx.x - list.first_block[k];
  switch (b.width) {
    case 16: move_items<16>(b, block, list.pattern); break;
    case 8: move_items<8>(b, block, list.pattern); break;
    case 4: move_items<4>(b, block, list.pattern); break;
    case 2: move_items<2>(b, block, list.pattern); break;
    case 1: move_items<1>(b, block, list.pattern); break;
    default: move_items<realigned>(b, block, list.pattern); break;
  }
}

inline void start_row_box(cudaStream_t stream, const row_box& b) {
  const auto kernel = b.width == 16  ? row_box_kernel<16>
                      : b.width == 8 ? row_box_kernel<8>
                      : b.width == 4 ? row_box_kernel<4>
                      : b.width == 2 ? row_box_kernel<2>
                      : b.width == 1 ? row_box_kernel<1>
                                     : row_box_kernel<realigned>;
  start(stream, grid_shape{blocks_of(b), row_threads}, "cannot launch the copy of a box", kernel, b);
}

template <int Boxes>
void start_row_list(cudaStream_t stream, const row_box_list<Boxes>& list, const char* what) {
  if (list.count == 0) return;
  start(stream, grid_shape{list.first_block[list.count], row_threads}, what, row_list_kernel<Boxes>, list);
}

// A copy, or a filling, for the launch that a list makes; in as many parts as its size takes, and a launch before where
// the list is full.
template <int Boxes>
void add_to_list(cudaStream_t stream, row_box_list<Boxes>& list, const strided_copy& c, bool filled, const char* what) {
  for_each_part(c, filled, [&](const strided_copy& part) {
    if (list.count == Boxes) {
      start_row_list(stream, list, what);
      list.count = 0;
    }
    list.add(make_row_box(part, filled));
  });
}

}  // namespace penstock::detail
