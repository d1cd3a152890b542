// transpose and permute: dense arrays with their axes in another order.
#pragma once

#include <penstock/algorithm/box.hpp>

namespace penstock {

// Axis a of the target is axis order[a] of the source, an array of these extents (elements); both are dense, the last
// axis adjacent. Elements of 1, 2, 4, 8 and 16 bytes turn through tiles of shared memory, others one by one. Throws
// penstock::error where `order` does not give each axis once; as copy_box in all else.
template <class Target, class Source, int Rank>
void permute(cudaStream_t stream, Target dst, Source src, const long long (&extent)[Rank], const int (&order)[Rank]) {
  using T = detail::written_element_of<Target>;
  static_assert(std::is_same_v<T, std::remove_const_t<detail::element_of<Source>>>,
                "permute moves elements of one type");
  const strided<const T, Rank> from(contiguous<Source>::address(src), extent);
  long long extents[Rank], strides[Rank];
  bool seen[Rank]{};
  for (int a = 0; a < Rank; ++a) {
    if (order[a] < 0 || order[a] >= Rank || seen[order[a]])
      refuse(std::errc::invalid_argument, "axis " + std::to_string(order[a]) + " is given as axis " +
                                              std::to_string(a) + " of the target; each axis from 0 to " +
                                              std::to_string(Rank - 1) + " must be given once");
    seen[order[a]] = true;
    extents[a] = extent[order[a]];
    strides[a] = from.stride[order[a]];
  }
  copy_box(stream, strided<T, Rank>(contiguous<Target>::address(dst), extents),
           strided<const T, Rank>(from.data, extents, strides));
}

// dst[c][r] = src[r][c], for a source of `rows` rows of `columns` elements.
template <class Target, class Source>
void transpose(cudaStream_t stream, Target dst, Source src, long long rows, long long columns) {
  permute<Target, Source, 2>(stream, dst, src, {rows, columns}, {1, 0});
}

}  // namespace penstock
