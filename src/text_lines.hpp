// A report, line by line.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <utility>

namespace penstock::command {

class text_lines {
 public:
  template <class... T>
  void say(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(values)...);
    out_ += '\n';
  }
  void append(const std::string& drawn) { out_ += drawn; }
  std::string text() && { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace penstock::command
