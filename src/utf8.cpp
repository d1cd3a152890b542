#include "utf8.hpp"

namespace penstock::command {
namespace {

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029; }

template <class F>
void for_each_code_point(std::string_view s, F&& f) {
  while (!s.empty()) {
    const code_point c = decode_utf8(s);
    const auto length = static_cast<std::size_t>(c.bytes > 0 ? c.bytes : 1);
    f(c, s.substr(0, length));
    s.remove_prefix(length);
  }
}

}  // namespace

code_point decode_utf8(std::string_view bytes) {
  if (bytes.empty()) return {};
  const auto lead = static_cast<unsigned char>(bytes[0]);
  if (lead < 0x80) return {lead, 1};
  const int length = lead >= 0xf0 && lead < 0xf5   ? 4
                     : lead >= 0xe0 && lead < 0xf0 ? 3
                     : lead >= 0xc2 && lead < 0xe0 ? 2
                                                   : 0;
  if (length == 0 || bytes.size() < static_cast<std::size_t>(length)) return {};
  char32_t value = lead & (0xffu >> (length + 1));
  for (int i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
    if ((next & 0xc0) != 0x80) return {};
    value = (value << 6) | (next & 0x3fu);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  if (overlong || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return {};
  return {value, length};
}

int characters(std::string_view s) {
  int n = 0;
  for_each_code_point(s, [&](code_point, std::string_view) { ++n; });
  return n;
}

bool has_control_characters(std::string_view s) {
  bool found = false;
  for_each_code_point(s,
                      [&](code_point c, std::string_view) { found = found || (c.bytes > 0 && is_control(c.value)); });
  return found;
}

std::string printable(std::string_view s, int most) {
  std::string out;
  int n = 0;
  for_each_code_point(s, [&](code_point c, std::string_view bytes) {
    if (++n > most) return;
    if (c.bytes == 0) out += "\xef\xbf\xbd";
    else if (is_control(c.value)) out += '?';
    else out += bytes;
  });
  if (n > most) out += "…";
  return out;
}

std::string xml_escaped(std::string_view s) {
  std::string out;
  for_each_code_point(printable(s), [&](code_point c, std::string_view bytes) {
    switch (c.value) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case 0xfffe:
      case 0xffff:
        out += "\xef\xbf\xbd";
        break;  // not characters of XML
      default:
        out += bytes;
    }
  });
  return out;
}

}  // namespace penstock::command
