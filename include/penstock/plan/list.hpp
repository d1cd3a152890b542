// A fixed-capacity list that constexpr host code and device code can both index.
#pragma once

#if defined(__CUDACC__)
#define PENSTOCK_HD __host__ __device__
#else
#define PENSTOCK_HD
#endif

namespace penstock {

// std::array::operator[] is host-only to nvcc unless users pass --expt-relaxed-constexpr, so tables use this.
template <class T, int Capacity>
struct list {
  static constexpr int capacity = Capacity;
  T items[Capacity > 0 ? Capacity : 1]{};
  int count = 0;

  PENSTOCK_HD constexpr T& operator[](int i) { return items[i]; }
  PENSTOCK_HD constexpr const T& operator[](int i) const { return items[i]; }
  PENSTOCK_HD constexpr int size() const { return count; }
  PENSTOCK_HD constexpr bool empty() const { return count == 0; }
  PENSTOCK_HD constexpr const T* begin() const { return items; }
  PENSTOCK_HD constexpr const T* end() const { return items + count; }
  PENSTOCK_HD constexpr T* begin() { return items; }
  PENSTOCK_HD constexpr T* end() { return items + count; }
  // Capacity is computed before a list is filled; overflowing one is a bug in that computation.
  PENSTOCK_HD constexpr void add(const T& item) { items[count++] = item; }
};

}  // namespace penstock
