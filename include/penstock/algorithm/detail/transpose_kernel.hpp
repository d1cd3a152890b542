// Copies that exchange the innermost axis with another one: through a tile in shared memory, 16 bytes at a time on both
// sides.
#pragma once

#include <penstock/algorithm/detail/row_kernels.hpp>

namespace penstock::detail {

// The source has rows of `columns` adjacent elements, the target rows of `rows` adjacent elements.
struct transposition {
  unsigned char* to;
  const unsigned char* from;
  long long rows, columns;
  long long from_pitch, to_pitch;  // bytes from row to row
  int axes;                        // further ones, that both sides step through alike
  divider extent[3];
  long long to_stride[3], from_stride[3];
  const unsigned char* from_end;
};

// The order in which blocks take tiles: bands of some rows of tiles, column by column inside a band, so that the tiles
// being moved at one time make long stretches of rows on both sides.
struct tile_order {
  divider plane;      // tiles of one transposition
  divider band;       // tiles of a full band
  divider band_rows;  // rows of tiles in it
  divider last_rows;  // of the last band, which may have fewer
  unsigned full_bands;

  tile_order() = default;
  tile_order(long long row_tiles, long long column_tiles, long long rows_of_band)
      : plane(row_tiles * column_tiles),
        band(rows_of_band * column_tiles),
        band_rows(rows_of_band),
        last_rows(row_tiles % rows_of_band != 0 ? row_tiles % rows_of_band : rows_of_band),
        full_bands(static_cast<unsigned>(row_tiles / rows_of_band)) {}

  // The tile of rank k in its plane; k becomes the plane.
  PENSTOCK_HD void find(unsigned& k, unsigned& row, unsigned& column) const {
    unsigned column_first = plane.take(k);
    unsigned in_band = band.take(column_first);  // now the band
    const divider& rows = column_first < full_bands ? band_rows : last_rows;
    row = column_first * band_rows.divisor + rows.take(in_band);
    column = in_band;
  }
};

// Tiles of 16 KiB whose rows are whole cache lines on both sides. The smallest that have such rows, taken in bands of
// 4 KiB of the target's rows, were slower (docs/benchmarks.md); benchmarks/run.sh --tune measures the choice.
template <int Size>
struct tile_shape {
  static constexpr int rows = Size == 1 ? 128 : Size <= 4 ? 64 : 32;
  static constexpr int columns = 16384 / Size / rows;
};

template <int Size, class Shape>
struct tile_facts : Shape {
  static constexpr int chunks = Shape::columns * Size / 16;  // of a row
  static constexpr int group = 16 / Size;                    // rows that make one chunk of the target
  static constexpr int bytes = Shape::rows * Shape::columns * Size;
  static_assert(chunks % 8 == 0 && Shape::rows / group % 8 == 0, "rows of whole cache lines on both sides");
};

inline constexpr int transpose_threads = 256;

// Chunks change places by the group their row belongs to, so that a column of groups lies in different banks.
template <class Tile>
__device__ __forceinline__ int swizzled(int row, int chunk) {
  return row * Tile::chunks * 16 + (chunk ^ (row / Tile::group & 7)) * 16;
}

struct tile_place {
  unsigned char* to;
  const unsigned char* from;
  int rows, columns;  // inside the array
};

template <int Size, class Tile>
__device__ __forceinline__ tile_place find_tile(const transposition& t, const tile_order& order) {
  unsigned k = blockIdx.x, row_tile, column_tile;
  order.find(k, row_tile, column_tile);
  const long long column = static_cast<long long>(column_tile) * Tile::columns;
  const long long row = static_cast<long long>(row_tile) * Tile::rows;
  long long to = column * t.to_pitch + row * Size, from = row * t.from_pitch + column * Size;
#pragma unroll
  for (int a = 2; a >= 0; --a) {
    if (a >= t.axes) continue;
    const long long i = t.extent[a].take(k);
    to += i * t.to_stride[a];
    from += i * t.from_stride[a];
  }
  const long long rows = t.rows - row, columns = t.columns - column;
  return {t.to + to, t.from + from, rows < Tile::rows ? static_cast<int>(rows) : Tile::rows,
          columns < Tile::columns ? static_cast<int>(columns) : Tile::columns};
}

template <int Size, class Tile, bool Aligned>
__device__ __forceinline__ void read_tile(unsigned char* shared, const transposition& t, const tile_place& p) {
  constexpr int each = Tile::rows * Tile::chunks / transpose_threads;
  uint4 v[each];
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int item = k * transpose_threads + static_cast<int>(threadIdx.x);
    const int row = item / Tile::chunks, chunk = item % Tile::chunks;
    const int valid = (p.columns - chunk * Tile::group) * Size;  // bytes
    v[k] = make_uint4(0, 0, 0, 0);
    if (row >= p.rows || valid <= 0) continue;
    const unsigned char* from = p.from + row * t.from_pitch + chunk * 16;
    if (Aligned && valid >= 16) v[k] = *reinterpret_cast<const uint4*>(from);
    else v[k] = load_part(from, 0, valid < 16 ? valid : 16, t.from, t.from_end);
  }
#pragma unroll
  for (int k = 0; k < each; ++k) {
    const int item = k * transpose_threads + static_cast<int>(threadIdx.x);
    *reinterpret_cast<uint4*>(shared + swizzled<Tile>(item / Tile::chunks, item % Tile::chunks)) = v[k];
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
        const unsigned a = __byte_perm(w[4 * k], w[4 * k + 1], 0x5140),
                       b = __byte_perm(w[4 * k + 2], w[4 * k + 3], 0x5140);
        const unsigned c = __byte_perm(w[4 * k], w[4 * k + 1], 0x7362),
                       d = __byte_perm(w[4 * k + 2], w[4 * k + 3], 0x7362);
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
template <int Size, class Tile>
__device__ __forceinline__ void write_tile(const unsigned char* shared, const transposition& t, const tile_place& p) {
  using word = typename turned<Size>::word;
  constexpr int words = Tile::chunks * 16 / static_cast<int>(sizeof(word));  // of a row
  constexpr int items = words * Tile::rows / Tile::group;
#pragma unroll
  for (int item = static_cast<int>(threadIdx.x); item < items; item += transpose_threads) {
    const int low = item % 8, at = item / 8 % words, group = item / 8 / words * 8 + low;
    word w[Tile::group];
#pragma unroll
    for (int r = 0; r < Tile::group; ++r) {
      const int byte = at * static_cast<int>(sizeof(word));
      w[r] = *reinterpret_cast<const word*>(shared + swizzled<Tile>(group * Tile::group + r, byte / 16) + byte % 16);
    }
    const turned<Size> o(w);
    const int valid = (p.rows - group * Tile::group) * Size;  // bytes
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
template <int Size, class Tile>
__device__ __forceinline__ void write_tile_anywhere(const unsigned char* shared, const transposition& t,
                                                    const tile_place& p) {
  using word = arch::cuda::word_t<Size>;
  for (int item = static_cast<int>(threadIdx.x); item < Tile::rows * Tile::columns; item += transpose_threads) {
    const int row = item % Tile::rows, column = item / Tile::rows;
    if (row >= p.rows || column >= p.columns) continue;
    const int byte = column * Size;
    reinterpret_cast<word*>(p.to + column * t.to_pitch)[row] =
        *reinterpret_cast<const word*>(shared + swizzled<Tile>(row, byte / 16) + byte % 16);
  }
}

template <int Size, class Shape, bool From16, bool To16>
__global__ void __launch_bounds__(transpose_threads) transpose_kernel(const transposition t, const tile_order order) {
  using tile = tile_facts<Size, Shape>;
  __shared__ __align__(128) unsigned char shared[tile::bytes];
  const tile_place p = find_tile<Size, tile>(t, order);
  begin_grid();
  read_tile<Size, tile, From16>(shared, t, p);
  __syncthreads();
  if constexpr (To16) write_tile<Size, tile>(shared, t, p);
  else write_tile_anywhere<Size, tile>(shared, t, p);
}

// `band`: of how many rows of tiles. One: row of tiles by row of tiles.
template <int Size, class Shape = tile_shape<Size>>
void start_transposition(cudaStream_t stream, const transposition& t, int band = 1) {
  const long long row_tiles = ceil_div(t.rows, Shape::rows), column_tiles = ceil_div(t.columns, Shape::columns);
  long long tiles = row_tiles * column_tiles;
  unsigned long long from_bits = bits(t.from) | static_cast<unsigned long long>(t.from_pitch);
  unsigned long long to_bits = bits(t.to) | static_cast<unsigned long long>(t.to_pitch);
  for (int a = 0; a < t.axes; ++a) {
    tiles *= t.extent[a].divisor;
    from_bits |= static_cast<unsigned long long>(t.from_stride[a]);
    to_bits |= static_cast<unsigned long long>(t.to_stride[a]);
  }
  const grid_shape shape{grid_for(tiles, 1, "the transposition"), transpose_threads};
  const bool from_16 = from_bits % 16 == 0, to_16 = to_bits % 16 == 0;
  const auto kernel =
      from_16 ? (to_16 ? transpose_kernel<Size, Shape, true, true> : transpose_kernel<Size, Shape, true, false>)
              : (to_16 ? transpose_kernel<Size, Shape, false, true> : transpose_kernel<Size, Shape, false, false>);
  start(stream, shape, "cannot launch the transposition", kernel, t,
        tile_order(row_tiles, column_tiles, row_tiles < band ? row_tiles : band));
}

}  // namespace penstock::detail
