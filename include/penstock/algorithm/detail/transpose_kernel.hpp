// Copies that exchange the innermost axis with another one: through a tile in shared memory, 16 bytes at a time on both sides.
#pragma once

#include <penstock/algorithm/detail/row_kernels.hpp>

namespace penstock::detail {

// The source has rows of `columns` adjacent elements, the target rows of `rows` adjacent elements.
struct transposition {
  unsigned char* to;
  const unsigned char* from;
  long long rows, columns;
  long long from_pitch, to_pitch;  // bytes from row to row
  divider row_tiles, column_tiles;
  int axes;                        // further ones, that both sides step through alike
  divider extent[3];
  long long to_stride[3], from_stride[3];
  const unsigned char* from_end;
  unsigned tiles;
};

// A tile of 16 KiB whose rows are whole cache lines on both sides.
template <int Size>
struct tile_shape {
  static constexpr int rows = Size == 1 ? 128 : Size <= 4 ? 64 : 32;
  static constexpr int columns = 16384 / Size / rows;
  static constexpr int chunks = columns * Size / 16;  // of a row
  static constexpr int group = 16 / Size;             // rows that make one chunk of the target
};

inline constexpr int transpose_threads = 256;

// Chunks change places by the group their row belongs to, so that a column of groups lies in different banks.
template <int Size>
__device__ __forceinline__ int swizzled(int row, int chunk) {
  using tile = tile_shape<Size>;
  return row * tile::columns * Size + (chunk ^ (row / tile::group & 7)) * 16;
}

struct tile_place {
  unsigned char* to;
  const unsigned char* from;
  int rows, columns;  // inside the array
};

template <int Size>
__device__ __forceinline__ tile_place find_tile(const transposition& t) {
  using tile = tile_shape<Size>;
  unsigned k = blockIdx.x;
  const long long column = static_cast<long long>(t.column_tiles.take(k)) * tile::columns;
  const long long row = static_cast<long long>(t.row_tiles.take(k)) * tile::rows;
  long long to = column * t.to_pitch + row * Size, from = row * t.from_pitch + column * Size;
  for (int a = t.axes - 1; a >= 0; --a) {
    const long long i = t.extent[a].take(k);
    to += i * t.to_stride[a];
    from += i * t.from_stride[a];
  }
  const long long rows = t.rows - row, columns = t.columns - column;
  return {t.to + to, t.from + from, rows < tile::rows ? static_cast<int>(rows) : tile::rows,
          columns < tile::columns ? static_cast<int>(columns) : tile::columns};
}

template <int Size, bool Aligned>
__device__ __forceinline__ void read_tile(unsigned char* shared, const transposition& t, const tile_place& p) {
  using tile = tile_shape<Size>;
  constexpr int each = tile::rows * tile::chunks / transpose_threads;
  uint4 v[each];
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int item = k * transpose_threads + static_cast<int>(threadIdx.x);
    const int row = item / tile::chunks, chunk = item % tile::chunks;
    const int valid = (p.columns - chunk * tile::group) * Size;  // bytes
    if (row >= p.rows || valid <= 0) continue;
    const unsigned char* from = p.from + row * t.from_pitch + chunk * 16;
    if (Aligned && valid >= 16) v[k] = *reinterpret_cast<const uint4*>(from);
    else v[k] = load_part(from, 0, valid < 16 ? valid : 16, t.from, t.from_end);
  }
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int item = k * transpose_threads + static_cast<int>(threadIdx.x);
    const int row = item / tile::chunks, chunk = item % tile::chunks;
    *reinterpret_cast<uint4*>(shared + swizzled<Size>(row, chunk)) = v[k];
  }
}

// Columns 0 … of a word, over the rows of a group: what was w[row][column] becomes out[column][row].
template <int Size>
struct turned {
  using word = std::conditional_t<(Size >= 4), arch::cuda::word_t<Size>, unsigned>;
  static constexpr int columns = Size >= 4 ? 1 : 4 / Size;
  uint4 out[columns];

  __device__ __forceinline__ explicit turned(const word (&w)[16 / Size]) {
    if constexpr (Size >= 4) {
      __builtin_memcpy(&out[0], w, 16);
    } else if constexpr (Size == 2) {
      unsigned o[2][4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        o[0][k] = __byte_perm(w[2 * k], w[2 * k + 1], 0x5410);
        o[1][k] = __byte_perm(w[2 * k], w[2 * k + 1], 0x7632);
      }
      __builtin_memcpy(out, o, sizeof(o));
    } else {
      unsigned o[4][4];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const unsigned a = __byte_perm(w[4 * k], w[4 * k + 1], 0x5140), b = __byte_perm(w[4 * k + 2], w[4 * k + 3], 0x5140);
        const unsigned c = __byte_perm(w[4 * k], w[4 * k + 1], 0x7362), d = __byte_perm(w[4 * k + 2], w[4 * k + 3], 0x7362);
        o[0][k] = __byte_perm(a, b, 0x5410);
        o[1][k] = __byte_perm(a, b, 0x7632);
        o[2][k] = __byte_perm(c, d, 0x5410);
        o[3][k] = __byte_perm(c, d, 0x7632);
      }
      __builtin_memcpy(out, o, sizeof(o));
    }
  }
};

// Eight groups side by side make 128 adjacent bytes of the target; the other lanes take neighbouring words.
template <int Size>
__device__ __forceinline__ void write_tile(const unsigned char* shared, const transposition& t, const tile_place& p) {
  using tile = tile_shape<Size>;
  using word = typename turned<Size>::word;
  constexpr int words = tile::columns * Size / static_cast<int>(sizeof(word));  // of a row
  constexpr int groups = tile::rows / tile::group;
  constexpr int each = words * groups / transpose_threads;
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int item = k * transpose_threads + static_cast<int>(threadIdx.x);
    const int low = item % 8, at = item / 8 % words, group = item / 8 / words * 8 + low;
    word w[tile::group];
#pragma unroll
    for (int r = 0; r < tile::group; ++r) {
      const int byte = at * static_cast<int>(sizeof(word));
      w[r] = *reinterpret_cast<const word*>(shared + swizzled<Size>(group * tile::group + r, byte / 16) + byte % 16);
    }
    const turned<Size> o(w);
    const int valid = (p.rows - group * tile::group) * Size;  // bytes
#pragma unroll
    for (int c = 0; c < turned<Size>::columns; ++c) {
      const int column = at * turned<Size>::columns + c;
      if (column >= p.columns || valid <= 0) continue;
      unsigned char* to = p.to + column * t.to_pitch + group * 16;
      if (valid >= 16) *reinterpret_cast<uint4*>(to) = o.out[c];
      else store_part(to, o.out[c], 0, valid);
    }
  }
}

// Where the target's rows begin anywhere: element by element along them.
template <int Size>
__device__ __forceinline__ void write_tile_anywhere(const unsigned char* shared, const transposition& t, const tile_place& p) {
  using tile = tile_shape<Size>;
  using word = arch::cuda::word_t<Size>;
  for (int item = static_cast<int>(threadIdx.x); item < tile::rows * tile::columns; item += transpose_threads) {
    const int row = item % tile::rows, column = item / tile::rows;
    if (row >= p.rows || column >= p.columns) continue;
    const int byte = column * Size;
    reinterpret_cast<word*>(p.to + column * t.to_pitch)[row] =
        *reinterpret_cast<const word*>(shared + swizzled<Size>(row, byte / 16) + byte % 16);
  }
}

template <int Size, bool From16, bool To16>
__global__ void __launch_bounds__(transpose_threads) transpose_kernel(const transposition t) {
  __shared__ __align__(128) unsigned char shared[16384];
  const tile_place p = find_tile<Size>(t);
  read_tile<Size, From16>(shared, t, p);
  __syncthreads();
  if constexpr (To16) write_tile<Size>(shared, t, p);
  else write_tile_anywhere<Size>(shared, t, p);
}

template <int Size>
void start_transposition(cudaStream_t stream, transposition t) {
  using tile = tile_shape<Size>;
  const long long row_tiles = ceil_div(t.rows, tile::rows), column_tiles = ceil_div(t.columns, tile::columns);
  long long tiles = row_tiles * column_tiles;
  unsigned long long from_bits = bits(t.from) | static_cast<unsigned long long>(t.from_pitch);
  unsigned long long to_bits = bits(t.to) | static_cast<unsigned long long>(t.to_pitch);
  for (int a = 0; a < t.axes; ++a) {
    tiles *= t.extent[a].divisor;
    from_bits |= static_cast<unsigned long long>(t.from_stride[a]);
    to_bits |= static_cast<unsigned long long>(t.to_stride[a]);
  }
  t.row_tiles = divider(row_tiles);
  t.column_tiles = divider(column_tiles);
  const auto kernel = from_bits % 16 == 0 ? (to_bits % 16 == 0 ? transpose_kernel<Size, true, true> : transpose_kernel<Size, true, false>)
                                          : (to_bits % 16 == 0 ? transpose_kernel<Size, false, true> : transpose_kernel<Size, false, false>);
  start(stream, grid_shape{grid_for(tiles, 1, "the transposition"), transpose_threads}, "cannot launch the transposition",
        kernel, t);
}

}  // namespace penstock::detail
