// Pictures of 2-D slices: a perceptually even colour map, two pictures side by side, a legend, PNG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace penstock::examples {

struct rgb {
  std::uint8_t red = 0;
  std::uint8_t green = 0;
  std::uint8_t blue = 0;
  bool operator==(const rgb&) const = default;
};

// The values that the first and the last colour stand for; both finite, low <= high.
struct value_range {
  double low = 0;
  double high = 1;
};

struct picture {
  std::uint64_t width = 0;
  std::uint64_t height = 0;
  std::vector<rgb> pixels;  // width * height, row by row from the top
  rgb& at(std::uint64_t x, std::uint64_t y) { return pixels[y * width + x]; }
  const rgb& at(std::uint64_t x, std::uint64_t y) const { return pixels[y * width + x]; }
};

// Black through red to pale yellow for 0 ... 1, lighter with every step; outside clamped; NaN is green.
rgb inferno(double position);

// Rows of `width` values, slowest axis downwards. Beyond 1024 cells a side, a pixel is the mean of a square
// of cells; below 256, a cell is a square of pixels. So any extent gives a picture of a size that can be
// looked at.
picture draw_slice(std::span<const float> cells, std::uint64_t width, value_range range);
picture draw_slice(std::span<const double> cells, std::uint64_t width, value_range range);

// Left and right, as before and after; both must be equally high.
picture side_by_side(const picture& left, const picture& right);

// The picture with a colour bar under it, its ends labelled with the range.
picture with_legend(const picture& above, value_range range);

// Replaces `path` entirely or not at all.
void write_png(const std::filesystem::path& path, const picture& drawn);

}  // namespace penstock::examples
