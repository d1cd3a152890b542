// A box against the arrays it is copied between: what is copied, what is filled, what is left alone.
#pragma once

#include <penstock/algorithm/strided.hpp>

#include <algorithm>

namespace penstock::detail {

struct interval {
  long long first = 0, last = 0;  // last is one past the end
  bool empty() const { return first >= last; }
};

template <int Rank>
struct region {
  interval axis[Rank];
  bool empty() const {
    for (const interval& i : axis) if (i.empty()) return true;
    return false;
  }
};

// Positions 0 … extent-1 of a box at `at`, as far as they lie in an array of `size`.
inline interval inside(long long at, long long extent, long long size) {
  return {std::max(0ll, -at), std::min(extent, size - at)};
}

template <int Rank>
struct box_regions {
  region<Rank> target;  // of the box, inside the target
  region<Rank> both;    // and inside the source
  region<Rank> beside[2 * Rank];
  int beside_count = 0;
};

template <class T, int Rank>
box_regions<Rank> split_box(const strided<T, Rank>& dst, const long long (&dst_at)[Rank],
                            const strided<const T, Rank>& src, const long long (&src_at)[Rank],
                            const long long (&extent)[Rank]) {
  box_regions<Rank> r;
  for (int a = 0; a < Rank; ++a) {
    if (extent[a] < 0)
      refuse(std::errc::invalid_argument, "the box has extent " + std::to_string(extent[a]) + " along axis " +
                                              std::to_string(a) + "; extents are 0 or more");
    for (long long at : {dst_at[a], src_at[a]})
      if (at <= -most_extent || at >= most_extent)
        refuse(std::errc::value_too_large, "the box begins at " + std::to_string(at) + " along axis " +
                                               std::to_string(a) + "; allowed is what lies within 2^62 of the array");
    r.target.axis[a] = inside(dst_at[a], extent[a], dst.extent[a]);
    const interval s = inside(src_at[a], extent[a], src.extent[a]);
    r.both.axis[a] = {std::max(r.target.axis[a].first, s.first), std::min(r.target.axis[a].last, s.last)};
  }
  if (r.target.empty()) return r;
  region<Rank> rest = r.target;
  if (r.both.empty()) {
    r.beside[r.beside_count++] = rest;
    return r;
  }
  // slab by slab: what lies before and behind along one axis, then the next axis within what remains
  for (int a = 0; a < Rank; ++a) {
    region<Rank> before = rest, behind = rest;
    before.axis[a].last = r.both.axis[a].first;
    behind.axis[a].first = r.both.axis[a].last;
    if (!before.empty()) r.beside[r.beside_count++] = before;
    if (!behind.empty()) r.beside[r.beside_count++] = behind;
    rest.axis[a] = r.both.axis[a];
  }
  return r;
}

// The copy of one region of a box.
template <class T, int Rank>
strided_copy region_copy(const strided<T, Rank>& dst, const long long (&dst_at)[Rank],
                         const strided<const T, Rank>& src, const long long (&src_at)[Rank], const region<Rank>& r) {
  strided_copy c;
  c.element = sizeof(T);
  c.axes = Rank;
  // As numbers that may wrap: where a region lies outside the source, and along axes of extent 1, nobody uses them.
  using wrapping = std::uintptr_t;
  wrapping to = bits(dst.data), from = bits(src.data);
  for (int a = 0; a < Rank; ++a) {
    const wrapping to_step = static_cast<wrapping>(dst.stride[a]) * sizeof(T);
    const wrapping from_step = static_cast<wrapping>(src.stride[a]) * sizeof(T);
    c.extent[a] = r.axis[a].last - r.axis[a].first;
    c.to_stride[a] = static_cast<long long>(to_step);
    c.from_stride[a] = static_cast<long long>(from_step);
    to += static_cast<wrapping>(dst_at[a] + r.axis[a].first) * to_step;
    from += (static_cast<wrapping>(src_at[a]) + static_cast<wrapping>(r.axis[a].first)) * from_step;
  }
  c.to = reinterpret_cast<unsigned char*>(to);
  c.from = reinterpret_cast<const unsigned char*>(from);
  return c;
}

}  // namespace penstock::detail
