#include "strict_json.hpp"

#include "input_error.hpp"
#include "utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace penstock::command {
namespace {

using nlohmann::json;

std::string pointer_token(const std::string& key) {
  std::string out;
  for (char c : printable(key, 64)) {
    if (c == '~') out += "~0";
    else if (c == '/') out += "~1";
    else out += c;
  }
  return out;
}

// Builds the value from the parser's events; the library's own builder keeps the last of two equal keys.
class builder {
 public:
  builder(std::string_view bytes, std::string_view source, int most_nesting)
      : bytes_(bytes), source_(source), most_nesting_(most_nesting) {}

  json root;

  bool null() { return put(nullptr); }
  bool boolean(bool v) { return put(v); }
  bool number_integer(json::number_integer_t v) { return put(v); }
  bool number_unsigned(json::number_unsigned_t v) { return put(v); }
  bool number_float(json::number_float_t v, const std::string&) { return put(v); }
  bool string(std::string& v) { return put(std::move(v)); }
  bool binary(json::binary_t&) { return false; }  // JSON text has none
  bool start_object(std::size_t) { return open(json::object()); }
  bool start_array(std::size_t) { return open(json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    level& top = levels_.back();
    if (top.value->contains(name)) {
      const std::string at = pointer(levels_.size() - 1);
      throw input_error(source_, at.empty() ? "1:1" : at, "key " + shown_value(name) + " appears twice");
    }
    top.key = std::move(name);
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const json::exception& e) {
    // the library says "[kind.id] parse error at …: reason; last read: '…'", of which only the reason is
    // short
    std::string_view what = e.what();
    const auto start = what.find(": ");
    if (what.find("at line") < start) what.remove_prefix(start + 2);
    else what.remove_prefix(std::min(what.size(), what.find("] ") + 2));
    what = what.substr(0, what.find("; last read"));
    throw input_error(source_, line_and_column(position), printable(what, 160));
  }

 private:
  struct level {
    json* value = nullptr;
    std::string key{};
  };

  json* add(json v) {
    if (levels_.empty()) return &(root = std::move(v));
    level& top = levels_.back();
    if (top.value->is_object()) return &((*top.value)[top.key] = std::move(v));
    top.value->push_back(std::move(v));
    return &top.value->back();
  }
  bool put(json v) {
    add(std::move(v));
    return true;
  }
  bool open(json v) {
    json* const added = add(std::move(v));
    if (levels_.size() == static_cast<std::size_t>(most_nesting_))
      throw input_error(source_, pointer(levels_.size()), fmt::format("nested more than {} deep", most_nesting_));
    levels_.push_back({added});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  // Of the value being read inside the outermost `depth` levels.
  std::string pointer(std::size_t depth) const {
    std::string out;
    for (std::size_t i = 0; i < depth; ++i) {
      const level& l = levels_[i];
      if (l.value->is_array()) out += fmt::format("/{}", l.value->size() - 1);
      else out += "/" + pointer_token(l.key);
    }
    return out;
  }

  std::string line_and_column(std::size_t position) const {
    const std::string_view before = bytes_.substr(0, position > 0 ? position - 1 : 0);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const auto line_start = before.rfind('\n');
    const auto rest = line_start == std::string_view::npos ? before : before.substr(line_start + 1);
    return fmt::format("{}:{}", lines + 1, characters(rest) + 1);
  }

  std::string_view bytes_;
  std::string_view source_;
  int most_nesting_;
  std::vector<level> levels_;
};

}  // namespace

json parse_strict_json(std::string_view bytes, std::string_view source, int most_nesting) {
  builder b(bytes, source, most_nesting);
  json::sax_parse(bytes.begin(), bytes.end(), &b);
  return std::move(b.root);
}

std::string shown_value(const json& value, int most) {
  if (value.is_array() && !value.empty()) return "an array";
  if (value.is_object() && !value.empty()) return "an object";
  return printable(value.dump(-1, ' ', true, json::error_handler_t::replace), most);
}

}  // namespace penstock::command
