// An SVG page that looks right on light and on dark ground, with the few shapes that the pictures here need.
#pragma once

#include <string>
#include <string_view>

namespace penstock::command {

struct point {
  double x = 0;
  double y = 0;
};

// How wide a line of the page's monospaced font is.
double text_width(std::string_view s, double font_size = 12);

class svg_page {
 public:
  // `style` names classes of the style sheet in svg.cpp; text is escaped here.
  void rectangle(std::string_view style, double x, double y, double width, double height, double radius = 0);
  void path(std::string_view style, std::string_view commands);
  void line(std::string_view style, point from, point to);
  // The tip is at `tip`; (dx, dy) is the unit vector that the arrow flies along.
  void arrow_head(std::string_view style, point tip, double dx, double dy);
  void text(std::string_view style, double x, double y, std::string_view s);
  // Text with a hint shown by a browser under the pointer.
  void hint(std::string_view s);
  void end_hint();

  // The whole document.
  std::string finish(double width, double height, std::string_view title) const;

 private:
  std::string body_;
};

}  // namespace penstock::command
