// From the bytes of a recorded trace to what happened when. A device wrote them, so nothing in them is taken
// on trust.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::command {

inline constexpr std::size_t most_trace_bytes = std::size_t{64} << 20;

// Times in nanoseconds since the first block began.
struct trace_work {
  int agent = 0;
  int stage = 0;
  unsigned slot = 0;
  std::uint64_t iteration = 0;
  double begin = 0;
  double freed = 0;      // its agent goes on
  double complete = -1;  // of an async stage, once somebody saw it; never before `begin`
};

struct trace_pause {
  int agent = 0;
  int stage = 0;  // that is held; -1 for the drain
  std::uint64_t iteration = 0;
  double begin = 0;
  double end = 0;
};

struct trace_stop {
  int agent = 0;
  int stage = 0;
  std::uint64_t iteration = 0;
  double at = 0;
};

struct trace_block {
  std::uint32_t block = 0;
  std::uint32_t multiprocessor = 0;
  std::vector<trace_work> work{};
  std::vector<trace_pause> pauses{};
  std::vector<trace_stop> stops{};
};

struct recorded_trace {
  std::vector<std::string> stages{};
  std::vector<std::string> agents{};
  std::vector<trace_block> blocks{};
  std::uint64_t records = 0;      // read
  std::uint64_t overwritten = 0;  // by newer ones in the rings
  std::uint64_t damaged = 0;      // left out: no such stage or event, or a clock that runs backwards
  std::uint64_t unmatched = 0;    // left out: their other half was overwritten or never came
};

// Throws input_error where the file is no trace or its parts do not fit together.
recorded_trace read_trace(std::string_view bytes, std::string_view source);

}  // namespace penstock::command
