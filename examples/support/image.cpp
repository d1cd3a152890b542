#include "image.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

#include "file.hpp"

namespace penstock::examples {
namespace {

constexpr rgb paper{255, 255, 255};
constexpr rgb ink{40, 40, 40};
constexpr rgb not_a_number{0, 255, 0};  // a hue that the colour map never comes near
constexpr std::uint64_t largest_side = 1024;
constexpr std::uint64_t smallest_side = 256;
constexpr std::uint64_t gap = 8;

// Every eighth entry of matplotlib's inferno (CC0); linear between them, at most 2/255 off the full table.
constexpr std::array<std::uint32_t, 33> inferno_table{
    0x000004, 0x040312, 0x0b0724, 0x150b37, 0x210c4a, 0x2e0a5a, 0x3c0965, 0x4a0c6b, 0x57106d,
    0x63146e, 0x70196e, 0x7d1e6d, 0x89226a, 0x962766, 0xa32b61, 0xaf315c, 0xbb3755, 0xc63e4d,
    0xd14644, 0xdb4f3b, 0xe35932, 0xeb6528, 0xf1711e, 0xf67f14, 0xf98d0a, 0xfb9c06, 0xfcab0f,
    0xfbba1f, 0xf9ca32, 0xf5d949, 0xf2e865, 0xf3f586, 0xfcffa4};

// What "{:.4g}" prints, 3 x 5 dots a character, an octal digit a row from the top.
constexpr std::string_view glyph_names = "0123456789.-+e";
constexpr std::array<std::uint16_t, 14> glyphs{075557, 026227, 071747, 071717, 055711, 074717, 074757,
                                               071111, 075757, 075717, 000002, 000700, 002720, 074747};
constexpr std::uint64_t dot = 2;
constexpr std::uint64_t glyph_advance = 4 * dot;
constexpr std::uint64_t text_height = 5 * dot;

void require(value_range range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high) || range.low > range.high) {
    throw std::invalid_argument(
        fmt::format("cannot draw the range {} to {}: allowed are two finite values in ascending order",
                    range.low, range.high));
  }
}

void draw_text(picture& on, std::uint64_t left, std::uint64_t top, std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint16_t glyph = glyphs[glyph_names.find(text[i])];
    for (std::uint64_t y = 0; y < text_height; ++y) {
      for (std::uint64_t x = 0; x < 3 * dot; ++x) {
        const std::uint64_t bit = 14 - (y / dot * 3 + x / dot);
        if ((glyph >> bit & 1) != 0) on.at(left + i * glyph_advance + x, top + y) = ink;
      }
    }
  }
}

picture blank(std::uint64_t width, std::uint64_t height) {
  return {width, height, std::vector<rgb>(width * height, paper)};
}

void paste(picture& on, const picture& what, std::uint64_t left) {
  for (std::uint64_t y = 0; y < what.height; ++y) {
    std::copy_n(&what.at(0, y), what.width, &on.at(left, y));
  }
}

template <class T>
picture draw(std::span<const T> cells, std::uint64_t width, value_range range) {
  require(range);
  if (cells.empty() || width == 0 || cells.size() % width != 0) {
    throw std::invalid_argument(fmt::format(
        "cannot draw {} cells in rows of {}: allowed are one or more full rows", cells.size(), width));
  }
  const std::uint64_t height = cells.size() / width;
  const std::uint64_t side = std::max(width, height);
  const std::uint64_t cells_a_pixel = (side + largest_side - 1) / largest_side;
  const std::uint64_t pixels_a_cell = std::max<std::uint64_t>(1, smallest_side / side);
  const double scale = range.high > range.low ? 1 / (range.high - range.low) : 0;
  const auto pixels = [&](std::uint64_t extent) {
    return (extent * pixels_a_cell + cells_a_pixel - 1) / cells_a_pixel;
  };

  picture drawn = blank(pixels(width), pixels(height));
  for (std::uint64_t y = 0; y < drawn.height; ++y) {
    const std::uint64_t top = y * cells_a_pixel / pixels_a_cell;
    const std::uint64_t bottom = std::min(top + cells_a_pixel, height);
    for (std::uint64_t x = 0; x < drawn.width; ++x) {
      const std::uint64_t left = x * cells_a_pixel / pixels_a_cell;
      const std::uint64_t right = std::min(left + cells_a_pixel, width);
      double sum = 0;
      for (std::uint64_t row = top; row < bottom; ++row) {
        for (std::uint64_t column = left; column < right; ++column) sum += cells[row * width + column];
      }
      const double mean = sum / static_cast<double>((bottom - top) * (right - left));
      drawn.at(x, y) = inferno((mean - range.low) * scale);
    }
  }
  return drawn;
}

}  // namespace

rgb inferno(double position) {
  if (std::isnan(position)) return not_a_number;
  const double place = std::clamp(position, 0.0, 1.0) * (inferno_table.size() - 1);
  const auto lower = std::min(static_cast<std::size_t>(place), inferno_table.size() - 2);
  const double share = place - static_cast<double>(lower);
  const auto channel = [&](unsigned shift) {
    const double from = inferno_table[lower] >> shift & 0xff;
    const double to = inferno_table[lower + 1] >> shift & 0xff;
    return static_cast<std::uint8_t>(std::lround(from + share * (to - from)));
  };
  return {channel(16), channel(8), channel(0)};
}

picture draw_slice(std::span<const float> cells, std::uint64_t width, value_range range) {
  return draw(cells, width, range);
}

picture draw_slice(std::span<const double> cells, std::uint64_t width, value_range range) {
  return draw(cells, width, range);
}

picture side_by_side(const picture& left, const picture& right) {
  if (left.height != right.height) {
    throw std::invalid_argument(
        fmt::format("cannot set pictures {} and {} pixels high side by side: allowed is one height",
                    left.height, right.height));
  }
  picture both = blank(left.width + gap + right.width, left.height);
  paste(both, left, 0);
  paste(both, right, left.width + gap);
  return both;
}

picture with_legend(const picture& above, value_range range) {
  require(range);
  const std::string low = fmt::format("{:.4g}", range.low);
  const std::string high = fmt::format("{:.4g}", range.high);
  const std::uint64_t labels = (low.size() + high.size()) * glyph_advance + gap;
  picture whole = blank(std::max(above.width, labels), above.height + 3 * gap + text_height);
  paste(whole, above, 0);
  for (std::uint64_t x = 0; x < whole.width; ++x) {
    const rgb colour = inferno(static_cast<double>(x) / static_cast<double>(whole.width - 1));
    for (std::uint64_t y = 0; y < gap; ++y) whole.at(x, above.height + gap + y) = colour;
  }
  const std::uint64_t top = above.height + 5 * gap / 2;
  draw_text(whole, 0, top, low);
  draw_text(whole, whole.width - high.size() * glyph_advance + dot, top, high);
  return whole;
}

void write_png(const std::filesystem::path& path, const picture& drawn) {
  static_assert(sizeof(rgb) == 3, "libpng is given rows of packed bytes");
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(drawn.width);
  image.height = static_cast<png_uint_32>(drawn.height);
  image.format = PNG_FORMAT_RGB;
  // Encoded in memory first: libpng's own file writing would leave half a file behind.
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::vector<std::byte> encoded(size);
  if (png_image_write_to_memory(&image, encoded.data(), &size, 0, drawn.pixels.data(), 0, nullptr) == 0) {
    throw std::runtime_error(fmt::format("cannot write '{}': {}", path.string(), image.message));
  }
  write_file(path, std::span(encoded).first(size));
}

}  // namespace penstock::examples
