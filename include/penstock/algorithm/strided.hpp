// Strided arrays and boxes of them: what copy_box, permute and their relatives take.
#pragma once

#include <penstock/algorithm/arguments.hpp>

#include <limits>
#include <utility>

namespace penstock {

// An array of 1 to 5 axes, slowest first: its first element, and along each axis the number of elements and the
// elements from one to the next. Strides from 1 on for a target, from 0 (one element repeated) for a source; checked
// where it is used.
template <class T, int Rank>
struct strided {
  static_assert(Rank >= 1 && Rank <= 5, "a strided array has 1 to 5 axes");
  static constexpr int rank = Rank;
  T* data = nullptr;
  long long extent[Rank]{};
  long long stride[Rank]{};

  strided(T* p, const long long (&extents)[Rank], const long long (&strides)[Rank]) : data(p) {
    for (int a = 0; a < Rank; ++a) {
      extent[a] = extents[a];
      stride[a] = strides[a];
    }
  }
  // Dense: neighbours along the last axis are adjacent, rows follow each other.
  strided(T* p, const long long (&extents)[Rank]) : data(p) {
    long long next = 1;
    for (int a = Rank - 1; a >= 0; --a) {
      extent[a] = extents[a];
      stride[a] = next;
      // a product that overflows is refused where the array is used: no memory holds it
      if (__builtin_mul_overflow(next, extents[a] > 0 ? extents[a] : 1, &next))
        next = std::numeric_limits<long long>::max();
    }
  }
  // Of elements that are only read; a template, for else it would stand in the place of the copy constructor.
  template <class U>
    requires std::is_same_v<T, const U>
  strided(const strided<U, Rank>& s) : strided(s.data, s.extent, s.stride) {}
};

// What happens to elements of a box that lie outside the source: `clip` leaves the target as it is, `fill` writes a
// value.
struct clip_outside {};
inline constexpr clip_outside clip{};
template <class T>
struct fill {
  T value;
};

namespace detail {

// A copy between strided arrays, in bytes. An axis of the innermost bytes is `row` adjacent bytes on both sides.
struct strided_copy {
  unsigned char* to = nullptr;
  const unsigned char* from = nullptr;
  long long element = 1;
  int axes = 0;
  long long extent[5]{}, to_stride[5]{}, from_stride[5]{};

  long long elements() const {
    long long n = 1;
    for (int a = 0; a < axes; ++a) n *= extent[a];
    return n;
  }
  bool empty() const {
    for (int a = 0; a < axes; ++a) if (extent[a] == 0) return true;
    return false;
  }
  void drop(int axis) {
    for (int a = axis; a + 1 < axes; ++a) {
      extent[a] = extent[a + 1];
      to_stride[a] = to_stride[a + 1];
      from_stride[a] = from_stride[a + 1];
    }
    --axes;
  }
};

// The same copy with its axes in another order: the target's strides descend.
inline strided_copy descending(strided_copy c) {
  for (int a = 1; a < c.axes; ++a)
    for (int b = a; b > 0 && c.to_stride[b - 1] < c.to_stride[b]; --b) {
      std::swap(c.extent[b - 1], c.extent[b]);
      std::swap(c.to_stride[b - 1], c.to_stride[b]);
      std::swap(c.from_stride[b - 1], c.from_stride[b]);
    }
  return c;
}

// Axes of extent 1 vanish, the target's strides descend, and axes that continue each other on both sides become one: so
// a box is seen for what it is, however it was described.
inline strided_copy normalised(strided_copy c) {
  for (int a = c.axes - 1; a >= 0; --a)
    if (c.extent[a] == 1) c.drop(a);
  c = descending(c);
  for (int a = c.axes - 2; a >= 0; --a)
    if (c.to_stride[a] == c.extent[a + 1] * c.to_stride[a + 1] &&
        c.from_stride[a] == c.extent[a + 1] * c.from_stride[a + 1]) {
      c.extent[a + 1] *= c.extent[a];
      c.drop(a);
    }
  return c;
}

// The bytes from the first to one past the last that one side of a copy touches, relative to its address.
inline long long span_of(const strided_copy& c, const long long (&stride)[5]) {
  long long span = c.element;
  for (int a = 0; a < c.axes; ++a) span += (c.extent[a] - 1) * stride[a];
  return span;
}

// Is there a place of the target at a place of the source, `distance` bytes on? Exact where both sides have the same,
// nested strides; their extents may differ.
inline bool meets(const strided_copy& target, const strided_copy& source, int axis, long long distance) {
  while (axis < target.axes && target.extent[axis] == 1 && source.extent[axis] == 1) ++axis;
  if (axis >= target.axes) return distance > -target.element && distance < target.element;
  const long long stride = target.to_stride[axis];
  long long q = distance / stride - (distance % stride < 0 ? 1 : 0);
  for (int k = 0; k < 2; ++k, ++q)
    if (q > -target.extent[axis] && q < source.extent[axis] && meets(target, source, axis + 1, distance - q * stride))
      return true;
  return false;
}

// What one copy writes against what another reads; both have the same axes, in the order of descending strides.
inline void check_apart(const strided_copy& target, const strided_copy& source) {
  const long long to_span = span_of(target, target.to_stride), from_span = span_of(source, source.from_stride);
  const std::uintptr_t t = bits(target.to), f = bits(source.from);
  if (t >= f + static_cast<std::uintptr_t>(from_span) || f >= t + static_cast<std::uintptr_t>(to_span)) return;
  bool same = true;
  for (int a = 0; a < target.axes; ++a)
    same = same && ((target.extent[a] == 1 && source.extent[a] == 1) || target.to_stride[a] == source.from_stride[a]);
  if (same && !meets(target, source, 0, static_cast<long long>(t - f))) return;
  refuse(std::errc::invalid_argument,
         "the target box, from " + hex(t) + " to " + hex(t + static_cast<std::uintptr_t>(to_span)) +
             ", overlaps the source box, from " + hex(f) + " to " + hex(f + static_cast<std::uintptr_t>(from_span)) +
             "; boxes must be apart, or interleave within arrays of the same strides");
}

inline constexpr long long most_extent = 1ll << 62;  // so that sums of an offset and an extent do not overflow

template <class T, int Rank>
void check_strided(const strided<T, Rank>& s, bool is_target, const char* what) {
  const auto along = [&](const char* quantity, long long value, int axis) {
    return std::string(what) + " has " + quantity + " " + std::to_string(value) + " along axis " + std::to_string(axis);
  };
  bool empty = false;
  for (int a = 0; a < Rank; ++a) {
    if (s.extent[a] < 0)
      refuse(std::errc::invalid_argument, along("extent", s.extent[a], a) + "; extents are 0 or more");
    if (s.extent[a] >= most_extent)
      refuse(std::errc::value_too_large, along("extent", s.extent[a], a) + "; allowed are extents below 2^62");
    empty = empty || s.extent[a] == 0;
  }
  if (empty) return;
  long long last = 0;
  for (int a = 0; a < Rank; ++a) {
    if (s.extent[a] == 1) continue;
    if (s.stride[a] < (is_target ? 1 : 0))
      refuse(std::errc::invalid_argument,
             along("stride", s.stride[a], a) + "; allowed are strides from " + (is_target ? "1" : "0") + " on");
    long long far = 0;
    if (__builtin_mul_overflow(s.extent[a] - 1, s.stride[a], &far) || __builtin_add_overflow(last, far, &last) ||
        last == std::numeric_limits<long long>::max())
      refuse(std::errc::value_too_large, std::string(what) + " spans more than 2^63 - 1 elements");
  }
  const long long bytes = checked_bytes(last + 1, sizeof(T), (std::string("the span of ") + what).c_str());
  check_memory(s.data, bytes, alignof(T), what);
}

// Two elements of a target at one address would be written in no order.
inline void check_no_fold(const strided_copy& normal) {
  long long reach = normal.element;
  for (int a = normal.axes - 1; a >= 0; --a) {
    if (normal.to_stride[a] < reach)
      refuse(std::errc::invalid_argument, "a stride of the target is " + std::to_string(normal.to_stride[a]) +
                                              " bytes; " + std::to_string(reach) +
                                              " or more keep its rows from overlapping");
    reach = (normal.extent[a] - 1) * normal.to_stride[a] + reach;
  }
}

}  // namespace detail

}  // namespace penstock
