// cuda::std::mdspan as arguments of copy: any extents, layouts with strides, on both sides.
#pragma once

#include <penstock/algorithm/box.hpp>

#include <cuda/std/mdspan>

namespace penstock {

// The array that an mdspan of 1 to 5 axes views. Its accessor must be the default one: it alone has an address.
template <class T, class Extents, class Layout>
  requires(Extents::rank() >= 1 && Extents::rank() <= 5)
strided<T, static_cast<int>(Extents::rank())> as_strided(const cuda::std::mdspan<T, Extents, Layout>& m) {
  static_assert(Layout::template mapping<Extents>::is_always_strided(),
                "only layouts with strides can be copied as arrays");
  constexpr int rank = static_cast<int>(Extents::rank());
  long long extent[rank], stride[rank];
  for (int a = 0; a < rank; ++a) {
    extent[a] = static_cast<long long>(m.extent(static_cast<std::size_t>(a)));
    stride[a] = static_cast<long long>(m.stride(static_cast<std::size_t>(a)));
  }
  return strided<T, rank>(m.data_handle(), extent, stride);
}

// Copies whole arrays of the same type, rank and extents; layouts may differ, left against right is a transposition. As
// copy_box in all else.
template <class T, class ToExtents, class ToLayout, class FromExtents, class FromLayout>
void copy(cudaStream_t stream, const cuda::std::mdspan<T, ToExtents, ToLayout>& dst,
          const cuda::std::mdspan<const T, FromExtents, FromLayout>& src) {
  static_assert(ToExtents::rank() == FromExtents::rank(), "both arrays must have the same number of axes");
  static_assert(ToExtents::rank() >= 1 && ToExtents::rank() <= 5, "arrays of 1 to 5 axes can be copied");
  constexpr int rank = static_cast<int>(ToExtents::rank());
  copy_box<T, rank>(stream, as_strided(dst), as_strided(src));
}
template <class T, class ToExtents, class ToLayout, class FromExtents, class FromLayout>
void copy(cudaStream_t stream, const cuda::std::mdspan<T, ToExtents, ToLayout>& dst,
          const cuda::std::mdspan<T, FromExtents, FromLayout>& src) {
  copy(stream, dst, cuda::std::mdspan<const T, FromExtents, FromLayout>(src));
}

}  // namespace penstock
