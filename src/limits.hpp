// How large a plan the command reads. What lies beyond is unreadable input, so --help states every limit.
#pragma once

#include <penstock/plan/problems.hpp>

#include <cstddef>
#include <string>

namespace penstock::command {

inline constexpr int most_stages = 16;
inline constexpr int most_buffers = 16;
inline constexpr int most_accesses = most_buffers;  // reads of one stage, and writes of one stage
inline constexpr int most_depth = max_depth;
inline constexpr int most_window = max_offset;  // either side of 0
inline constexpr int most_shift = 4096;         // skew and order, either side of 0
inline constexpr int most_name = 64;            // characters
inline constexpr double most_ns = max_time_ns;
inline constexpr std::size_t most_plan_bytes = std::size_t{1} << 20;
inline constexpr int most_nesting = 8;  // a plan nests six deep

using bounded_plan = plan<most_stages, most_buffers>;

// The limits above in sentences.
std::string describe_limits();

}  // namespace penstock::command
