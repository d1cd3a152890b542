// copy_box: boxes of strided arrays of 1 to 5 axes.
//
// A box is first seen for what it is: axes of extent 1 vanish and axes that continue each other merge, so a box of one
// column, one row or the whole array costs what it should. Rows then go in aligned 16-byte words of the target, which
// funnel shifts put together where source and target are misaligned against each other: no pitch, extent or offset
// falls off a cliff. Where the axes of the source are permuted against the target's, tiles are turned in shared memory.
#pragma once

#include <penstock/algorithm/detail/box_split.hpp>
#include <penstock/algorithm/detail/strided_kernels.hpp>

#include <cstring>

namespace penstock {

namespace detail {

template <class T, int Rank>
void check_box_arrays(const strided<T, Rank>& dst, const strided<const T, Rank>& src) {
  static_assert(!std::is_const_v<T>, "the target array is written: its elements must not be const");
  static_assert(std::is_trivially_copyable_v<T>, "boxes are moved as bytes: their elements must be trivially copyable");
  check_strided(dst, true, "the target array");
  check_strided(src, false, "the source array");
}

}  // namespace detail

// Copies the box of `extent` elements that begins at src_at in src to dst_at in dst. Offsets may be negative and the
// box may reach beyond either array: elements outside the target are dropped, elements outside the source leave the
// target as it is. On `stream`, a stream of the current device; asynchronous, usable in graph capture, no temporary
// memory; one launch, or one for each 2^31 words. Throws penstock::error before anything is launched: where an array is
// null, misaligned or too large for an address, an extent is negative, a stride is too small for what lies inside it
// (target) or negative (source), or the boxes overlap; boxes that interleave within arrays of the same strides do not.
template <class T, int Rank>
void copy_box(cudaStream_t stream, const strided<T, Rank>& dst, const long long (&dst_at)[Rank],
              const std::type_identity_t<strided<const T, Rank>>& src, const long long (&src_at)[Rank],
              const long long (&extent)[Rank], clip_outside = clip) {
  detail::check_box_arrays<T, Rank>(dst, src);
  const auto regions = detail::split_box<T, Rank>(dst, dst_at, src, src_at, extent);
  if (regions.both.empty()) return;
  const auto c = detail::normalised(detail::region_copy<T, Rank>(dst, dst_at, src, src_at, regions.both));
  detail::check_no_fold(c);
  detail::check_apart(c, c);
  detail::move_strided(stream, c);
}

// The same, with a value of at most 16 bytes for the elements of the target that the box takes from outside the source.
// In one launch, by rows; axes that change places do not go through tiles.
template <class T, int Rank>
void copy_box(cudaStream_t stream, const strided<T, Rank>& dst, const long long (&dst_at)[Rank],
              const std::type_identity_t<strided<const T, Rank>>& src, const long long (&src_at)[Rank],
              const long long (&extent)[Rank], const fill<std::type_identity_t<T>>& outside) {
  static_assert(sizeof(T) <= 16, "elements to fill with have at most 16 bytes");
  detail::check_box_arrays<T, Rank>(dst, src);
  const auto regions = detail::split_box<T, Rank>(dst, dst_at, src, src_at, extent);
  if (regions.beside_count == 0) {
    copy_box(stream, dst, dst_at, src, src_at, extent);
    return;
  }
  const auto region = [&](const detail::region<Rank>& r) {
    return detail::region_copy<T, Rank>(dst, dst_at, src, src_at, r);
  };
  const auto written = [&](const detail::region<Rank>& r) {
    detail::strided_copy c = region(r);
    for (int a = 0; a < Rank; ++a) c.from_stride[a] = c.to_stride[a];  // so that axes merge by the target alone
    return detail::normalised(c);
  };
  detail::check_no_fold(written(regions.target));
  if (!regions.both.empty()) {
    const detail::strided_copy read = detail::descending(region(regions.both));
    detail::check_apart(read, read);
    for (int k = 0; k < regions.beside_count; ++k)
      detail::check_apart(detail::descending(region(regions.beside[k])), read);
  }
  const char* what = "cannot launch the copy of a box";
  detail::row_box_list<2 * Rank + 1> list;
  std::memcpy(list.pattern.bytes, &outside.value, sizeof(T));
  list.pattern.size = sizeof(T);
  if (!regions.both.empty()) detail::add_to_list(stream, list, detail::normalised(region(regions.both)), false, what);
  for (int k = 0; k < regions.beside_count; ++k)
    detail::add_to_list(stream, list, written(regions.beside[k]), true, what);
  detail::start_row_list(stream, list, what);
}

// A whole array of the same extents; as copy_box of boxes in all else.
template <class T, int Rank>
void copy_box(cudaStream_t stream, const strided<T, Rank>& dst,
              const std::type_identity_t<strided<const T, Rank>>& src) {
  for (int a = 0; a < Rank; ++a)
    if (dst.extent[a] != src.extent[a])
      refuse(std::errc::invalid_argument,
             "along axis " + std::to_string(a) + " the target has extent " + std::to_string(dst.extent[a]) +
                 " and the source " + std::to_string(src.extent[a]) + "; whole arrays must have the same extents");
  const long long origin[Rank]{};
  copy_box(stream, dst, origin, src, origin, dst.extent);
}

}  // namespace penstock
