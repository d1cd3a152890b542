// A recorded trace as text, as JSON for Chrome's and Perfetto's viewers, and as a timeline.
#pragma once

#include "timeline.hpp"
#include "trace_read.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace penstock::command {

std::string trace_text(const recorded_trace& t);

// Trace Event Format: a process for each block, a thread for each agent. Operations in flight overlap, so
// they are async events, with stage:slot:iteration as their id within the block.
std::string trace_json(const recorded_trace& t);

// Of one block: the one with that number, or the first that did any work. Throws input_error where there is
// none.
timeline trace_timeline(const recorded_trace& t, std::optional<std::uint32_t> block);

}  // namespace penstock::command
