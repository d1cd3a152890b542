// Data whose every value tells its place, a hot spot to diffuse, and comparisons that say where they failed.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace penstock::examples {

// Sebastiano Vigna's SplitMix64 output function: a bijection, so no two indices collide at 64 bits.
constexpr std::uint64_t splitmix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// The value at `index` of the pattern `seed`: any bits for an unsigned integer, [-1, 1) for a floating-point
// type.
template <class T>
requires std::unsigned_integral<T> || std::floating_point<T>
constexpr T coded_value(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t bits = splitmix64(splitmix64(seed) ^ index);
  if constexpr (std::unsigned_integral<T>) {
    return static_cast<T>(bits);
  } else {
    // 24 bits are exact in f32 too, so a pattern converted between types stays comparable.
    return static_cast<T>(static_cast<std::int64_t>(bits >> 40) - (1 << 23)) / static_cast<T>(1 << 23);
  }
}

template <class T>
void fill_coded(std::span<T> values, std::uint64_t seed, std::uint64_t first_index = 0) {
  for (std::uint64_t i = 0; i < values.size(); ++i) values[i] = coded_value<T>(seed, first_index + i);
}

// Slowest axis first; a 2-D array has a first extent of 1.
using extents_3d = std::array<std::uint64_t, 3>;

// `peak` in the middle, falling off as a Gaussian whose width on each axis is an eighth of the extent.
template <std::floating_point T>
void fill_hot_spot(std::span<T> cells, extents_3d extents, T peak) {
  if (cells.size() != extents[0] * extents[1] * extents[2]) {
    throw std::invalid_argument("a hot spot needs as many cells as the product of its extents");
  }
  // The Gaussian is a product over the axes: three short tables instead of an exp for every cell.
  std::array<std::vector<double>, 3> weight;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto extent = static_cast<double>(extents[axis]);
    for (std::uint64_t i = 0; i < extents[axis]; ++i) {
      const double offset = (static_cast<double>(i) - (extent - 1) / 2) / (extent / 8);
      weight[axis].push_back(std::exp(-offset * offset / 2));
    }
  }
  auto cell = cells.begin();
  for (const double z : weight[0]) {
    for (const double y : weight[1]) {
      for (const double x : weight[2]) *cell++ = static_cast<T>(static_cast<double>(peak) * (z * y * x));
    }
  }
}

// How two arrays differ; count 0 means not at all.
template <class T>
struct comparison {
  std::uint64_t count = 0;
  std::uint64_t first = 0;
  T expected{};
  T got{};
  explicit operator bool() const { return count == 0; }
};

// expected_at(i) against got[i] for every i, under same(expected, got).
template <class T, class Expected, class Same>
comparison<T> compare(std::span<const T> got, Expected expected_at, Same same) {
  comparison<T> result;
  for (std::uint64_t i = 0; i < got.size(); ++i) {
    const T expected = expected_at(i);
    if (same(expected, got[i])) continue;
    if (result.count++ == 0) {
      result.first = i;
      result.expected = expected;
      result.got = got[i];
    }
  }
  return result;
}

// Bit for bit: a NaN equals itself, and -0 is not 0.
struct same_bits {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    return std::memcmp(&a, &b, sizeof(T)) == 0;
  }
};

// Within an absolute tolerance; a NaN matches nothing.
struct within {
  double tolerance;
  template <std::floating_point T>
  bool operator()(T a, T b) const {
    return std::abs(static_cast<double>(a) - static_cast<double>(b)) <= tolerance;
  }
};

template <class T, class Same = same_bits>
comparison<T> compare_arrays(std::span<const T> expected, std::span<const T> got, Same same = {}) {
  if (expected.size() != got.size())
    throw std::invalid_argument("arrays of different lengths cannot be compared");
  return compare<T>(
      got, [&](std::uint64_t i) { return expected[i]; }, same);
}

template <class T>
comparison<T> compare_coded(std::span<const T> got, std::uint64_t seed, std::uint64_t first_index = 0) {
  return compare<T>(
      got, [&](std::uint64_t i) { return coded_value<T>(seed, first_index + i); }, same_bits{});
}

// "3 values differ, the first at index 17: expected 0.5, got 0.25"
template <class T>
std::string describe(const comparison<T>& result) {
  if (result) return "no value differs";
  const auto text = [](T value) {
    std::array<char, 64> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    return std::string(digits.data(), end);
  };
  return std::to_string(result.count) +
         (result.count == 1 ? " value differs, at index " : " values differ, the first at index ") +
         std::to_string(result.first) + ": expected " + text(result.expected) + ", got " + text(result.got);
}

}  // namespace penstock::examples
