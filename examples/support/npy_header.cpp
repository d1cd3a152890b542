#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "npy.hpp"

namespace penstock::examples {
namespace {

constexpr std::uint64_t most_bytes = std::numeric_limits<std::int64_t>::max();

template <class... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> text, Args&&... args) {
  throw std::invalid_argument(fmt::format(text, std::forward<Args>(args)...));
}

// Whatever bytes a file holds, a message that quotes them stays one short line.
std::string shown(std::string_view text) {
  std::string line(text.substr(0, std::min<std::size_t>(text.find('\n'), 16)));
  for (char& letter : line) letter = letter >= ' ' && letter <= '~' ? letter : '?';
  return line;
}

// Reads the few Python literals that a header may hold.
class literal_reader {
 public:
  explicit literal_reader(std::string_view text) : rest_(text) {}

  bool take(std::string_view word) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \n"), rest_.size()));
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  void expect(std::string_view word) {
    if (!take(word)) expected(word);
  }

  std::string_view quoted(std::string_view what) {
    const char quote = take("'") ? '\'' : take("\"") ? '"' : '\0';
    const std::size_t end = rest_.find(quote);
    if (quote == '\0' || end == std::string_view::npos) expected(what);
    const std::string_view inside = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return inside;
  }

  std::uint64_t extent() {
    take("");
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error == std::errc::invalid_argument) expected("an extent of 0 or more");
    if (error != std::errc() || value > most_bytes) refuse("an extent of its shape exceeds 2^63 - 1");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    take("L");  // Python 2 wrote long integers so
    return value;
  }

  void expect_end() {
    take("");
    if (!rest_.empty()) expected("the end");
  }

  [[noreturn]] void expected(std::string_view what) {
    take("");
    if (rest_.empty()) refuse("its header ends where {} is expected", what);
    refuse("its header holds \"{}\" where {} is expected", shown(rest_), what);
  }

 private:
  std::string_view rest_;
};

npy_type parse_type(literal_reader& in) {
  const std::string_view descr = in.quoted("a plain dtype");
  if (descr == "<f4") return npy_type::f32;
  if (descr == "<f8") return npy_type::f64;
  refuse("its dtype is '{}'{}, allowed are '<f4' and '<f8' (little-endian f32 and f64)", shown(descr),
         descr.starts_with('>') ? " (big-endian)" : "");
}

bool parse_fortran_order(literal_reader& in) {
  if (in.take("False")) return false;
  if (!in.take("True")) in.expected("True or False");
  return true;
}

std::vector<std::uint64_t> parse_shape(literal_reader& in) {
  std::vector<std::uint64_t> shape;
  in.expect("(");
  while (!in.take(")")) {
    if (shape.size() == 3) refuse("its array has more than 3 dimensions, allowed are 1 to 3");
    shape.push_back(in.extent());
    if (in.take(",")) continue;
    if (shape.size() == 1) in.expected(",");  // Python reads (7) as a number
    in.expect(")");
    break;
  }
  if (shape.empty()) refuse("its array has 0 dimensions, allowed are 1 to 3");
  return shape;
}

// Extents of 0 are left out, as NumPy does: strides computed from the others must not overflow either.
void require_addressable(const npy_header& header) {
  std::uint64_t bytes = header.value_bytes();
  for (const std::uint64_t extent : header.shape) {
    if (extent == 0) continue;
    if (bytes > most_bytes / extent) {
      refuse("its shape ({}) of {}-byte values exceeds 2^63 - 1 bytes", fmt::join(header.shape, ", "),
             header.value_bytes());
    }
    bytes *= extent;
  }
}

template <class T>
void set_once(std::optional<T>& field, std::string_view key, T value) {
  if (field) refuse("its header gives '{}' twice", key);
  field = std::move(value);
}

}  // namespace

npy_header parse_npy_header(std::string_view dictionary) {
  literal_reader in(dictionary);
  std::optional<npy_type> type;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::uint64_t>> shape;
  in.expect("{");
  while (!in.take("}")) {
    const std::string_view key = in.quoted("a key");
    in.expect(":");
    if (key == "descr") {
      set_once(type, key, parse_type(in));
    } else if (key == "fortran_order") {
      set_once(fortran_order, key, parse_fortran_order(in));
    } else if (key == "shape") {
      set_once(shape, key, parse_shape(in));
    } else {
      refuse("its header has the key '{}', allowed are 'descr', 'fortran_order' and 'shape'", shown(key));
    }
    if (in.take(",")) continue;
    in.expect("}");
    break;
  }
  in.expect_end();
  if (!type || !fortran_order || !shape) {
    refuse("its header lacks '{}'", !type ? "descr" : !shape ? "shape" : "fortran_order");
  }
  if (*fortran_order)
    refuse("its array is in Fortran order, allowed is C order (numpy.ascontiguousarray converts)");
  npy_header header{*type, *std::move(shape)};
  require_addressable(header);
  return header;
}

}  // namespace penstock::examples
