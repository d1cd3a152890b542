// How far a long run has come: one line on a terminal, nothing anywhere else.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace penstock::examples {

// "stencil  45 % [#########...........] 12.3 Gcells/s, 0:07 left", at most `columns` wide.
std::string progress_line(std::string_view label, std::uint64_t done, std::uint64_t total, double seconds,
                          std::string_view unit, std::size_t columns);

// Draws only where `file` is a terminal, after the first second, and at most ten times a second; the line is gone
// when the object is. Advance by work that is complete, not by kernels that are queued.
class progress {
 public:
  using clock = std::chrono::steady_clock;
  progress(std::string_view label, std::uint64_t total, std::string_view unit, int file = STDERR_FILENO,
           clock::time_point start = clock::now());
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress();
  void advance(std::uint64_t amount, clock::time_point now = clock::now());

 private:
  std::string label_;
  std::string unit_;
  std::uint64_t total_;
  int file_;
  bool terminal_;
  bool drawn_ = false;
  std::uint64_t done_ = 0;
  clock::time_point start_;
  clock::time_point next_ = start_ + std::chrono::seconds(1);
};

}  // namespace penstock::examples
