// Reading a bounded file, and replacing one whole or not at all.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace penstock::command {

// "-" is standard input. Throws input_error if it cannot be read or holds more than `most` bytes.
std::string read_file(const std::string& path, std::size_t most);

// Written beside the target, then renamed over it; what is no regular file (a pipe, a terminal) is written
// directly.
void write_file(const std::string& path, std::string_view contents);

// The name as messages give it: one printable line.
std::string shown_path(const std::string& path);

}  // namespace penstock::command
