// The lowering table of a plan that was read at run time.
#pragma once

#include "parse_plan.hpp"

#include <penstock/lower/lower.hpp>

#include <memory>

namespace penstock::command {

// Larger plans fit no block; their tables would only be slow to work out.
inline constexpr int most_lowered_stages = 8;
inline constexpr int most_lowered_buffers = 8;
inline constexpr int most_lowered_depth = 64;
inline constexpr int most_lowered_hazards = 256;
inline constexpr int most_lowered_steps =
    4 * most_lowered_hazards + 8 * most_lowered_stages + 8;  // far above the 64 a window adds for each other stage

using lowering_table = lowering<most_lowered_stages, most_lowered_buffers, most_lowered_hazards, most_lowered_steps>;

// The plan must be sound and outlive the table. Throws input_error where it is larger than the limits above, has an async
// stage that is no copy of one slot, or deadlocks as it is mapped.
std::unique_ptr<lowering_table> lower_plan(const bounded_plan& p, std::string_view source, backend target,
                                           bool uniform_mapping);

}  // namespace penstock::command
