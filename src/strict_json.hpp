// JSON as the standard has it, and no key twice.
#pragma once

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace penstock::command {

// Throws input_error naming the source and the place: line:column of a syntax error, a JSON pointer
// otherwise.
nlohmann::json parse_strict_json(std::string_view bytes, std::string_view source, int most_nesting);

// The value in at most `most` characters of ASCII, for a message.
std::string shown_value(const nlohmann::json& value, int most = 40);

}  // namespace penstock::command
