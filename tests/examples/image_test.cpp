// Slices become pictures of a sensible size in true colours, and PNG files hold exactly those pictures.
#include "support/image.hpp"

#include <doctest/doctest.h>
#include <png.h>

#include <cmath>
#include <limits>

#include "scratch.hpp"

using namespace penstock::examples;
namespace fs = std::filesystem;

namespace {

picture decoded(const fs::path& path) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  REQUIRE(png_image_begin_read_from_file(&image, path.c_str()) != 0);
  CHECK(image.format == PNG_FORMAT_RGB);
  picture read{image.width, image.height, std::vector<rgb>(std::size_t{image.width} * image.height)};
  REQUIRE(png_image_finish_read(&image, nullptr, read.pixels.data(), 0, nullptr) != 0);
  return read;
}

// CIE 1976 lightness of an sRGB colour, 0 to 100.
double lightness(rgb colour) {
  const auto linear = [](std::uint8_t channel) {
    const double value = channel / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  const double y = 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green) + 0.0722 * linear(colour.blue);
  return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

}  // namespace

TEST_CASE("the colour map goes from black to pale yellow, lighter all the way") {
  CHECK(inferno(0) == rgb{0x00, 0x00, 0x04});
  CHECK(inferno(1) == rgb{0xfc, 0xff, 0xa4});
  CHECK(inferno(0.5) == rgb{0xbb, 0x37, 0x55});
  CHECK(inferno(-7) == inferno(0));
  CHECK(inferno(std::numeric_limits<double>::infinity()) == inferno(1));
  CHECK(inferno(std::nan("")) == rgb{0, 255, 0});
  const double step = (lightness(inferno(1)) - lightness(inferno(0))) / 16;
  for (int i = 0; i < 16; ++i) {
    const double rise = lightness(inferno((i + 1) / 16.0)) - lightness(inferno(i / 16.0));
    CAPTURE(i);
    CHECK(rise > 0.4 * step);
    CHECK(rise < 1.4 * step);
  }
}

TEST_CASE_TEMPLATE("each cell of a small slice is a square of its colour", value, float, double) {
  const std::vector<value> cells{0, 1, 2, 3, 4, 8};
  const picture drawn = draw_slice(std::span<const value>(cells), 3, {0, 4});
  REQUIRE(drawn.width == 3 * 85);
  REQUIRE(drawn.height == 2 * 85);
  for (std::uint64_t y = 0; y < drawn.height; ++y) {
    for (std::uint64_t x = 0; x < drawn.width; ++x) {
      REQUIRE(drawn.at(x, y) == inferno(static_cast<double>(cells[y / 85 * 3 + x / 85]) / 4));
    }
  }
}

TEST_CASE("a large slice is averaged in squares, its last ones clipped") {
  const std::uint64_t width = 2049;  // squares of 3
  std::vector<float> cells(width * 4);
  for (std::uint64_t i = 0; i < cells.size(); ++i)
    cells[i] = static_cast<float>(i % width / 3) + (i / width == 3 ? 100.0f : 0.0f);
  const picture drawn = draw_slice(cells, width, {0, 1000});
  REQUIRE(drawn.width == 683);
  REQUIRE(drawn.height == 2);
  for (std::uint64_t x = 0; x < drawn.width; ++x) {
    REQUIRE(drawn.at(x, 0) == inferno(static_cast<double>(x) / 1000));
    REQUIRE(drawn.at(x, 1) == inferno(static_cast<double>(x + 100) / 1000));
  }
  CHECK(draw_slice(std::vector<float>(100'000), 1, {0, 1}).height == 1021);
  CHECK(draw_slice(std::vector<float>(100'000), 1, {0, 1}).width == 1);
}

TEST_CASE("a value that is no number is seen, and a flat range is drawn") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const picture drawn = draw_slice(std::vector<float>{5, nan}, 2, {5, 5});
  CHECK(drawn.at(0, 0) == inferno(0));
  CHECK(drawn.at(drawn.width - 1, 0) == rgb{0, 255, 0});
}

TEST_CASE("what cannot be drawn is refused") {
  const auto sentence = [](std::size_t cells, std::uint64_t width, value_range range) {
    return sentence_of([&] { draw_slice(std::vector<float>(cells), width, range); });
  };
  CHECK(sentence(0, 5, {0, 1}) == "cannot draw 0 cells in rows of 5: allowed are one or more full rows");
  CHECK(sentence(4, 0, {0, 1}) == "cannot draw 4 cells in rows of 0: allowed are one or more full rows");
  CHECK(sentence(4, 3, {0, 1}) == "cannot draw 4 cells in rows of 3: allowed are one or more full rows");
  CHECK(sentence(4, 2, {2, 1}) ==
        "cannot draw the range 2 to 1: allowed are two finite values in ascending order");
  CHECK(sentence(4, 2, {0, INFINITY}) ==
        "cannot draw the range 0 to inf: allowed are two finite values in ascending order");
}

TEST_CASE("two pictures stand side by side, a legend below") {
  const picture before = draw_slice(std::vector<float>(4, 0.0f), 2, {0, 1});
  const picture after = draw_slice(std::vector<float>(4, 1.0f), 2, {0, 1});
  const picture both = side_by_side(before, after);
  REQUIRE(both.width == before.width + 8 + after.width);
  CHECK(both.height == before.height);
  CHECK(both.at(before.width - 1, 0) == inferno(0));
  CHECK(both.at(before.width, 0) == rgb{255, 255, 255});
  CHECK(both.at(before.width + 8, both.height - 1) == inferno(1));

  const picture whole = with_legend(both, {-0.25, 1.5e10});
  CHECK(whole.width == both.width);
  CHECK(whole.at(0, both.height + 8) == inferno(0));
  CHECK(whole.at(whole.width - 1, both.height + 8) == inferno(1));
  // The labels as text, one character a dot of 2 x 2 pixels.
  const auto label = [&](std::uint64_t left, std::uint64_t dots) {
    std::string rows;
    for (std::uint64_t row = 0; row < 5; ++row) {
      for (std::uint64_t x = 0; x < dots; ++x) {
        rows += whole.at(left + 2 * x, both.height + 20 + 2 * row) == rgb{255, 255, 255} ? ' ' : '#';
      }
      rows += '\n';
    }
    return rows;
  };
  CHECK(label(0, 19) ==  // -0.25
        "    ###     ### ###\n"
        "    # #       # #  \n"
        "### # #     ### ###\n"
        "    # #     #     #\n"
        "    ###  #  ### ###\n");
  CHECK(label(whole.width - 7 * 8 + 2, 27) ==  // 1.5e+10
        " #      ### ###      #  ###\n"
        "##      #   #    #  ##  # #\n"
        " #      ### ### ###  #  # #\n"
        " #        # #    #   #  # #\n"
        "###  #  ### ###     ### ###\n");
}

TEST_CASE("pictures of unlike heights do not fit side by side") {
  const picture one = draw_slice(std::vector<float>(2), 1, {0, 1});
  const picture other = draw_slice(std::vector<float>(2), 2, {0, 1});
  CHECK(sentence_of([&] { side_by_side(one, other); }) ==
        "cannot set pictures 256 and 128 pixels high side by side: allowed is one height");
}

TEST_CASE("a PNG file holds the picture, and a failure leaves the old file") {
  const scratch_folder folder;
  const fs::path path = folder / "slice.png";
  std::vector<double> cells(300 * 200);
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = std::sin(static_cast<double>(i) / 50);
  const picture drawn = with_legend(draw_slice(cells, 300, {-1, 1}), {-1, 1});
  write_png(path, drawn);
  const picture back = decoded(path);
  CHECK(back.width == drawn.width);
  CHECK(back.height == drawn.height);
  CHECK(back.pixels == drawn.pixels);
  CHECK(folder.entries() == 1);

  const std::string old = text_of(path);
  CHECK(
      sentence_of([&] { write_png(path, picture{}); }).starts_with("cannot write '" + path.string() + "': "));
  CHECK(sentence_of([&] { write_png(path / "x.png", drawn); }) ==
        "cannot write '" + (path / "x.png").string() + "': Not a directory");
  CHECK(text_of(path) == old);
  CHECK(folder.entries() == 1);
}
