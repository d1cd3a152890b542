// What a call refuses, and the sentence that it says: given, and allowed.
#pragma once

#include <penstock/run/error.hpp>

#include <doctest/doctest.h>

#include <string>

inline std::string message_of(const auto& action) {
  try {
    action();
  } catch (const penstock::error& e) {
    return e.what();
  }
  return "accepted";
}

inline bool says(const std::string& message, const char* part) {
  INFO(message);
  const bool found = message.find(part) != std::string::npos;
  CHECK_MESSAGE(found, "lacks: " << part);
  return found;
}

// Is `action` refused with a sentence that holds `part`?
inline bool refused(const auto& action, const char* part) { return says(message_of(action), part); }
