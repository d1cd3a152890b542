// Text of unknown origin, made safe to print, to count and to put into markup.
#pragma once

#include <string>
#include <string_view>

namespace penstock::command {

struct code_point {
  char32_t value = 0;
  int bytes = 0;  // 0: what stands here is not UTF-8
};

code_point decode_utf8(std::string_view bytes);

// The number of code points, every stray byte counted as one.
int characters(std::string_view s);

// C0, DEL and C1: what moves a terminal's cursor or ends a line.
bool has_control_characters(std::string_view s);

// Stray bytes become U+FFFD, control characters '?'; at most `most` code points, the rest becomes an
// ellipsis.
std::string printable(std::string_view s, int most = 1 << 20);

std::string xml_escaped(std::string_view s);

}  // namespace penstock::command
