// The sets of instructions a pipeline can be lowered to.
#pragma once

#include <string_view>

namespace penstock {

enum class backend : unsigned char { host, portable, ampere, hopper };

constexpr std::string_view backend_name(backend b) {
  switch (b) {
    case backend::hopper: return "hopper";
    case backend::ampere: return "ampere";
    case backend::portable: return "portable";
    default: return "host";
  }
}

}  // namespace penstock
