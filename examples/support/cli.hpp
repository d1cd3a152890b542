// What every example's command line has in common, and how it ends: one sentence and a status.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "backend.hpp"

namespace penstock::examples {

struct common_options {
  backend_choice backend = backend_choice::automatic;
  bool verify = false;
  int device = 0;
};

// --backend, --verify, --device
void add_common_options(CLI::App& app, common_options& options);

// A whole number in [low, high]; anything else is refused with the limits.
CLI::Option* add_count(CLI::App& app, const std::string& name, std::uint64_t& value, std::uint64_t low,
                       std::uint64_t high, const std::string& description);

// A whole number of bytes with an optional suffix: B, KiB, MiB, GiB, TiB.
CLI::Option* add_byte_size(CLI::App& app, const std::string& name, std::uint64_t& value,
                           const std::string& description);

// Throws std::invalid_argument with what was given and what is allowed.
std::uint64_t parse_byte_size(std::string_view text);

// Parses, runs `body`, and returns its status. Help: 0. A wrong command line: CLI11's status. An
// exception: 1. Every failure is one line on standard error; results that standard output did not take are a
// failure too.
int run_main(CLI::App& app, int argc, char** argv, const std::function<int()>& body);

}  // namespace penstock::examples
