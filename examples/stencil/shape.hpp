// The extents of a grid in words and numbers.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "grid.hpp"
#include "support/cli.hpp"

namespace penstock::examples {

inline constexpr long long most_extent = 2147483647, most_cells = 1ll << 40;

// Nothing where the extents make no grid.
inline std::optional<grid> grid_of(std::span<const std::uint64_t> extents) {
  if (extents.size() != 2 && extents.size() != 3) return {};
  std::uint64_t cells = 1;
  for (const std::uint64_t extent : extents) {
    if (extent < 1 || extent > most_extent || cells > most_cells / extent) return {};
    cells *= extent;
  }
  const auto at = [&](std::size_t k) { return static_cast<long long>(extents[extents.size() - k]); };
  return grid{static_cast<int>(extents.size()), extents.size() == 3 ? at(3) : 1, at(2), at(1)};
}

inline const std::string grids_allowed =
    fmt::format("2 or 3 extents from 1 to {} with at most 2^40 cells", most_extent);

inline grid parse_shape(const std::string& text) {
  std::vector<std::uint64_t> extents;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::uint64_t value = 0;
    const auto parsed = std::from_chars(text.data() + begin, text.data() + end, value);
    extents.push_back(parsed.ec == std::errc() && parsed.ptr == text.data() + end ? value : 0);
    begin = end + 1;
  }
  const auto shape = grid_of(extents);
  if (!shape)
    throw CLI::ValidationError(
        "--shape", fmt::format("'{}' given, allowed are {}, as in 64,100,1000", text, grids_allowed));
  return *shape;
}

inline std::string words(const grid& g) {
  return g.axes == 3 ? fmt::format("{} x {} x {}", g.planes, g.rows, g.columns)
                     : fmt::format("{} x {}", g.rows, g.columns);
}
inline std::vector<std::uint64_t> shape_of(const grid& g) {
  std::vector<std::uint64_t> shape;
  if (g.axes == 3) shape.push_back(static_cast<std::uint64_t>(g.planes));
  shape.push_back(static_cast<std::uint64_t>(g.rows));
  shape.push_back(static_cast<std::uint64_t>(g.columns));
  return shape;
}

}  // namespace penstock::examples
