#include "cli.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <new>
#include <stdexcept>
#include <utility>

namespace penstock::examples {
namespace {

// In order of preference: the first that runs on a device is the best there is.
struct backend_entry {
  backend_choice choice;
  const char* name;
  int least_capability;
};
constexpr std::array<backend_entry, 4> backends{{{backend_choice::hopper, "hopper", 90},
                                                 {backend_choice::ampere, "ampere", 80},
                                                 {backend_choice::portable, "portable", 75},
                                                 {backend_choice::host, "host", 0}}};

[[noreturn]] void refuse(std::string_view text, std::string_view allowed) {
  throw std::invalid_argument(fmt::format("'{}' given, allowed is {}", text, allowed));
}

// The number that `text` begins with and what follows it.
std::pair<std::uint64_t, std::string_view> split_number(std::string_view text, std::string_view allowed) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) refuse(text, allowed);
  return {value, text.substr(static_cast<std::size_t>(end - text.data()))};
}

std::uint64_t parse_between(std::string_view text, std::uint64_t low, std::uint64_t high,
                            std::string_view allowed) {
  const auto [value, rest] = split_number(text, allowed);
  if (!rest.empty() || value < low || value > high) refuse(text, allowed);
  return value;
}

// CLI11's own numbers saturate, take octal and list internals in messages, so they are parsed here.
CLI::Option* add_parsed(CLI::App& app, const std::string& name, const std::string& description,
                        std::string type, std::string shown_default,
                        std::function<void(const std::string&)> parse) {
  const auto convert = [name, parse = std::move(parse)](const std::string& text) {
    try {
      parse(text);
    } catch (const std::invalid_argument& reason) {
      throw CLI::ValidationError(name, reason.what());
    }
  };
  CLI::Option* option = app.add_option_function<std::string>(name, convert, description);
  return option->type_name(std::move(type))->default_str(std::move(shown_default));
}

std::string one_line(std::string text) {
  for (char& letter : text) letter = letter == '\n' ? ' ' : letter;
  return text;
}

int fail(const CLI::App& app, std::string_view sentence) {
  fmt::print(stderr, "{}: {}\n", app.get_name(), one_line(std::string(sentence)));
  return 1;
}

}  // namespace

const char* to_string(backend_choice choice) {
  for (const backend_entry& entry : backends) {
    if (entry.choice == choice) return entry.name;
  }
  return "auto";
}

void add_common_options(CLI::App& app, common_options& options) {
  add_parsed(app, "--backend", "which instructions move the data", "auto|hopper|ampere|portable|host", "auto",
             [&options](const std::string& text) {
               options.backend = backend_choice::automatic;
               if (text == "auto") return;
               for (const backend_entry& entry : backends) {
                 if (text == entry.name) {
                   options.backend = entry.choice;
                   return;
                 }
               }
               throw std::invalid_argument(
                   fmt::format("'{}' given, allowed are auto, hopper, ampere, portable and host", text));
             });
  app.add_flag("--verify", options.verify, "compare the result with the host's, and fail on a difference");
  add_parsed(app, "--device", "which GPU, as CUDA numbers them", "N", "0",
             [&options](const std::string& text) {
               constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<int>::max());
               options.device = static_cast<int>(parse_between(text, 0, most, "a GPU's number, 0 or more"));
             });
}

CLI::Option* add_count(CLI::App& app, const std::string& name, std::uint64_t& value, std::uint64_t low,
                       std::uint64_t high, const std::string& description) {
  return add_parsed(
      app, name, description, "N", fmt::to_string(value), [&value, low, high](const std::string& text) {
        value = parse_between(text, low, high, fmt::format("a whole number from {} to {}", low, high));
      });
}

CLI::Option* add_byte_size(CLI::App& app, const std::string& name, std::uint64_t& value,
                           const std::string& description) {
  return add_parsed(app, name, description, "BYTES", fmt::to_string(value),
                    [&value](const std::string& text) { value = parse_byte_size(text); });
}

std::uint64_t parse_byte_size(std::string_view text) {
  constexpr std::string_view allowed =
      "a whole number of bytes below 2^64 with an optional KiB, MiB, GiB or TiB";
  constexpr std::array<std::pair<std::string_view, unsigned>, 6> suffixes{
      {{"", 0}, {"B", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}}};
  const auto [value, suffix] = split_number(text, allowed);
  for (const auto& [name, shift] : suffixes) {
    if (suffix == name && value <= std::numeric_limits<std::uint64_t>::max() >> shift) return value << shift;
  }
  refuse(text, allowed);
}

backend_choice resolve_backend(backend_choice asked, const gpu_at_hand& gpu) {
  std::string runnable;
  for (const backend_entry& entry : backends) {
    if (entry.least_capability > gpu.compute_capability) continue;
    if (asked == backend_choice::automatic || asked == entry.choice) return entry.choice;
    runnable += fmt::format("{}{}", runnable.empty() ? "" : ", ", entry.name);
  }
  const int needed = std::find_if(backends.begin(), backends.end(), [&](const backend_entry& entry) {
                       return entry.choice == asked;
                     })->least_capability;
  throw std::runtime_error(fmt::format(
      "--backend: '{}' given, which needs compute capability {}.{}, but here is {}: allowed are {}",
      to_string(asked), needed / 10, needed % 10, gpu.name, runnable));
}

int run_main(CLI::App& app, int argc, char** argv, const std::function<int()>& body) {
  // A file-size limit shall be an error to report like any other, not a death half-way through a file.
  std::signal(SIGXFSZ, SIG_IGN);
  app.name(std::filesystem::path(argc > 0 ? argv[0] : "").filename().string());
  app.failure_message([](const CLI::App* failed, const CLI::Error& error) {
    return fmt::format("{}: {} (--help lists the options)\n", failed->get_name(), one_line(error.what()));
  });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }
  try {
    const int status = body();
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
      return fail(app, "cannot write to standard output");
    return status;
  } catch (const std::bad_alloc&) {
    return fail(app, "the host has too little free memory for this input");
  } catch (const std::exception& error) {
    return fail(app, error.what());
  } catch (...) {
    return fail(app, "an error of unknown type ended the run");
  }
}

}  // namespace penstock::examples
