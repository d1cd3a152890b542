// gather: rows of a table picked by index.
#pragma once

#include <penstock/algorithm/detail/row_kernels.hpp>

namespace penstock {

namespace detail {

template <class Index>
struct gather_job {
  unsigned char* to;
  const unsigned char* from;
  const Index* index;
  long long row, to_pitch, from_pitch;  // bytes
  divider per_row;
  unsigned items;
};

inline constexpr int gather_each = 4;  // a row's address waits for its index: several rows in flight

template <int Width, class Index>
__global__ void __launch_bounds__(row_threads) gather_kernel(const gather_job<Index> g) {
  constexpr int each = Width == realigned ? 1 : gather_each;
  begin_grid();
  const unsigned first = blockIdx.x * (row_threads * each) + threadIdx.x;
  if constexpr (Width == realigned) {
    if (first >= g.items) return;
    unsigned row = first;
    const unsigned chunk = g.per_row.take(row);
    const unsigned char* from = g.from + static_cast<long long>(g.index[row]) * g.from_pitch;
    move_chunk(g.to + row * g.to_pitch, from, g.row, chunk, from, from + g.row);
  } else {
    using word = arch::cuda::word_t<Width>;
    long long from[each], to[each];
    word v[each];
#pragma unroll
    for (int k = 0; k < each; ++k) {
      unsigned row = first + static_cast<unsigned>(k * row_threads);
      if (row >= g.items) continue;
      const unsigned item = g.per_row.take(row);
      from[k] = static_cast<long long>(g.index[row]) * g.from_pitch + item * Width;
      to[k] = row * g.to_pitch + item * Width;
    }
#pragma unroll
    for (int k = 0; k < each; ++k)
      if (first + static_cast<unsigned>(k * row_threads) < g.items)
        v[k] = *reinterpret_cast<const word*>(g.from + from[k]);
#pragma unroll
    for (int k = 0; k < each; ++k)
      if (first + static_cast<unsigned>(k * row_threads) < g.items) *reinterpret_cast<word*>(g.to + to[k]) = v[k];
  }
}

template <class Index>
void start_gather(cudaStream_t stream, gather_job<Index> g, long long count) {
  const int word = static_cast<int>(
      alignment_of(bits(g.to) | bits(g.from) | static_cast<unsigned long long>(g.row | g.to_pitch | g.from_pitch)));
  const int width = item_width(word, g.row, false);
  const long long per_row = width == realigned ? (g.row + 30) / 16 : g.row / width;
  const long long most_rows = std::max(1ll, most_items / per_row);
  if (per_row > most_items)
    refuse(std::errc::value_too_large,
           "a row to gather has " + std::to_string(g.row) + " bytes; allowed are up to 2^31 words");
  g.per_row = divider(per_row);
  const auto kernel = width == 16  ? gather_kernel<16, Index>
                      : width == 8 ? gather_kernel<8, Index>
                      : width == 4 ? gather_kernel<4, Index>
                      : width == 2 ? gather_kernel<2, Index>
                      : width == 1 ? gather_kernel<1, Index>
                                   : gather_kernel<realigned, Index>;
  const int each = width == realigned ? 1 : gather_each;
  for (long long done = 0; done < count; done += most_rows) {
    const long long rows = std::min(most_rows, count - done);
    gather_job<Index> part = g;
    part.to += done * g.to_pitch;
    part.index += done;
    part.items = static_cast<unsigned>(rows * per_row);
    start(stream, grid_shape{grid_for(part.items, row_threads * each, "the gather"), row_threads},
          "cannot launch the gather", kernel, part);
  }
}

}  // namespace detail

// dst row k = src row index[k], for `count` rows of `row` elements: row i of src begins at element i * src_pitch, those
// of dst follow each other. Indices (32 or 64 bits, on the device) must name rows that exist, and no such row may lie
// in the target: neither can be checked here. On `stream`, a stream of the current device; asynchronous, usable in
// graph capture, no temporary memory; one launch, or one for each 2^31 words. Throws penstock::error before anything is
// launched: where a number is negative or too large, an array is null or misaligned, or the target overlaps the
// indices.
template <class Target, class Source, class Indices>
void gather(cudaStream_t stream, Target dst, Source src, long long src_pitch, long long row, Indices index,
            long long count) {
  using T = detail::written_element_of<Target>;
  using I = std::remove_const_t<detail::element_of<Indices>>;
  static_assert(std::is_same_v<T, std::remove_const_t<detail::element_of<Source>>>,
                "gather moves elements of one type");
  static_assert(std::is_trivially_copyable_v<T>, "gather moves bytes: its elements must be trivially copyable");
  static_assert(std::is_integral_v<I> && sizeof(I) >= 4, "indices are integers of 32 or 64 bits");
  constexpr long long size = sizeof(T);
  const long long row_bytes = detail::checked_bytes(row, size, "the length of a row to gather");
  const long long bytes = detail::checked_bytes(count, row_bytes, "the count of rows to gather");
  const long long index_bytes = detail::checked_bytes(count, sizeof(I), "the count of rows to gather");
  const long long pitch = detail::checked_bytes(src_pitch, size, "the pitch of the source");
  if (bytes == 0) return;
  T* to = contiguous<Target>::address(dst);
  const T* from = contiguous<Source>::address(src);
  const I* indices = contiguous<Indices>::address(index);
  detail::check_memory(to, bytes, alignof(T), "the target of the gather");
  detail::check_memory(from, row_bytes, alignof(T), "the source of the gather");
  detail::check_memory(indices, index_bytes, alignof(I), "the array of indices");
  detail::check_disjoint(to, bytes, indices, index_bytes, detail::in_place::no, "the target", "the array of indices");
  detail::start_gather(stream,
                       detail::gather_job<I>{reinterpret_cast<unsigned char*>(to),
                                             reinterpret_cast<const unsigned char*>(from),
                                             indices,
                                             row_bytes,
                                             row_bytes,
                                             pitch,
                                             {},
                                             0},
                       count);
}

// Rows that follow each other without a gap.
template <class Target, class Source, class Indices>
void gather(cudaStream_t stream, Target dst, Source src, long long row, Indices index, long long count) {
  gather(stream, dst, src, row, row, index, count);
}

}  // namespace penstock
