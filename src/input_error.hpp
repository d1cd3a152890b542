// What ends a command with exit status 2: input that cannot be read, or output that cannot be written.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace penstock::command {

struct input_error : std::runtime_error {
  using std::runtime_error::runtime_error;
  // The source is a file's name as given, the place a line:column or a JSON pointer.
  input_error(std::string_view source, std::string_view place, std::string_view what)
      : std::runtime_error(std::string(source) + ": " + std::string(place) + ": " + std::string(what)) {}
};

}  // namespace penstock::command
