// Is a document well-formed XML, as far as the pictures here use it: one root, tags that match, quoted
// attributes that do not repeat, no stray < or &.
#pragma once

#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace xml {

// What is wrong, or empty.
class checker {
 public:
  explicit checker(std::string_view document) : rest_(document) {
    if (rest_.substr(0, 5) == "<?xml") skip_past("?>");
    while (fault.empty() && !rest_.empty()) {
      if (rest_[0] == '<') tag();
      else character();
    }
    if (fault.empty() && !open_.empty()) fault = "<" + open_.back() + "> is not closed";
    if (fault.empty() && roots_ != 1) fault = std::to_string(roots_) + " roots";
  }
  std::string fault;

 private:
  void skip_past(std::string_view end) {
    const auto at = rest_.find(end);
    if (at == rest_.npos) fault = "no " + std::string(end);
    else rest_.remove_prefix(at + end.size());
  }
  void character() {
    if (open_.empty() && !std::isspace(static_cast<unsigned char>(rest_[0]))) fault = "text outside the root";
    if (rest_[0] == '&') return entity();
    if (static_cast<unsigned char>(rest_[0]) < 0x20 && rest_[0] != '\n') fault = "a control character";
    rest_.remove_prefix(1);
  }
  void entity() {
    for (std::string_view known : {"&amp;", "&lt;", "&gt;", "&quot;"})
      if (rest_.substr(0, known.size()) == known) return rest_.remove_prefix(known.size());
    fault = "a stray &";
  }
  std::string name() {
    std::size_t n = 0;
    while (n < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[n])) || rest_[n] == ':' || rest_[n] == '-'))
      ++n;
    std::string out(rest_.substr(0, n));
    if (n == 0) fault = "a name is missing before " + std::string(rest_.substr(0, 20));
    rest_.remove_prefix(n);
    return out;
  }
  bool take(std::string_view s) {
    if (rest_.substr(0, s.size()) != s) return false;
    rest_.remove_prefix(s.size());
    return true;
  }
  void tag() {
    take("<");
    if (take("/")) {
      const std::string closed = name();
      if (open_.empty() || open_.back() != closed) fault = "</" + closed + "> closes nothing";
      else open_.pop_back();
      if (!take(">")) fault = "</" + closed + " goes on";
      return;
    }
    const std::string opened = name();
    if (open_.empty()) ++roots_;
    std::set<std::string> attributes;
    while (fault.empty() && take(" ")) {
      const std::string key = name();
      if (!attributes.insert(key).second) fault = "attribute " + key + " twice";
      if (!take("=\"")) fault = "attribute " + key + " has no value";
      while (fault.empty() && !rest_.empty() && rest_[0] != '"') {
        if (rest_[0] == '<') fault = "a < in attribute " + key;
        else if (rest_[0] == '&') entity();
        else rest_.remove_prefix(1);
      }
      if (fault.empty() && !take("\"")) fault = "attribute " + key + " does not end";
    }
    if (take("/>")) return;
    if (!take(">")) fault = "<" + opened + " does not end";
    open_.push_back(opened);
  }

  std::string_view rest_;
  std::vector<std::string> open_;
  int roots_ = 0;
};

inline std::string fault_in(std::string_view document) { return checker(document).fault; }

}  // namespace xml
