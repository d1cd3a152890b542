// Every pipeline of tests/compile_fail with its smallest fix: what is rejected there is rejected for that alone.
#include <penstock/plan/bindings.hpp>
#include <penstock/plan/json.hpp>

#include <doctest/doctest.h>

#define PENSTOCK_TEST_FIXED
namespace automatic_depth_without_times {
#include "../compile_fail/automatic_depth_without_times.cpp"
}
namespace bound_twice {
#include "../compile_fail/bound_twice.cpp"
}
namespace compute_body_parameters {
#include "../compile_fail/compute_body_parameters.cpp"
}
namespace compute_body_result {
#include "../compile_fail/compute_body_result.cpp"
}
namespace copy_body_parameters {
#include "../compile_fail/copy_body_parameters.cpp"
}
namespace copy_body_result {
#include "../compile_fail/copy_body_result.cpp"
}
namespace deadlock {
#include "../compile_fail/deadlock.cpp"
}
namespace depth_beyond_limit {
#include "../compile_fail/depth_beyond_limit.cpp"
}
namespace depth_too_small {
#include "../compile_fail/depth_too_small.cpp"
}
namespace depth_zero {
#include "../compile_fail/depth_zero.cpp"
}
namespace duplicate_buffer {
#include "../compile_fail/duplicate_buffer.cpp"
}
namespace duplicate_read {
#include "../compile_fail/duplicate_read.cpp"
}
namespace duplicate_stage {
#include "../compile_fail/duplicate_stage.cpp"
}
namespace duplicate_write {
#include "../compile_fail/duplicate_write.cpp"
}
namespace empty_plan {
#include "../compile_fail/empty_plan.cpp"
}
namespace look_past_stop {
#include "../compile_fail/look_past_stop.cpp"
}
namespace look_ahead {
#include "../compile_fail/look_ahead.cpp"
}
namespace never_read {
#include "../compile_fail/never_read.cpp"
}
namespace never_written {
#include "../compile_fail/never_written.cpp"
}
namespace not_bound {
#include "../compile_fail/not_bound.cpp"
}
namespace phase_bytes {
#include "../compile_fail/phase_bytes.cpp"
}
namespace read_before_write {
#include "../compile_fail/read_before_write.cpp"
}
namespace shared_memory {
#include "../compile_fail/shared_memory.cpp"
}
namespace skew_beyond_limit {
#include "../compile_fail/skew_beyond_limit.cpp"
}
namespace slot_alignment {
#include "../compile_fail/slot_alignment.cpp"
}
namespace slot_bytes {
#include "../compile_fail/slot_bytes.cpp"
}
namespace slot_type {
#include "../compile_fail/slot_type.cpp"
}
namespace time_out_of_range {
#include "../compile_fail/time_out_of_range.cpp"
}
namespace unknown_buffer {
#include "../compile_fail/unknown_buffer.cpp"
}
namespace unknown_buffer_in_json {
#include "../compile_fail/unknown_buffer_in_json.cpp"
}
namespace unknown_stage {
#include "../compile_fail/unknown_stage.cpp"
}
namespace unused_buffer {
#include "../compile_fail/unused_buffer.cpp"
}
namespace window_beyond_limit {
#include "../compile_fail/window_beyond_limit.cpp"
}
namespace window_reversed {
#include "../compile_fail/window_reversed.cpp"
}
namespace window_wider_than_depth {
#include "../compile_fail/window_wider_than_depth.cpp"
}

TEST_CASE("the fixed pipelines are sound") {
  CHECK(penstock::sound<automatic_depth_without_times::line>);
  CHECK(penstock::sound<bound_twice::line>);
  CHECK(penstock::sound<compute_body_parameters::line>);
  CHECK(penstock::sound<compute_body_result::line>);
  CHECK(penstock::sound<copy_body_parameters::line>);
  CHECK(penstock::sound<copy_body_result::line>);
  CHECK(penstock::sound<deadlock::line>);
  CHECK(penstock::sound<depth_beyond_limit::line>);
  CHECK(penstock::sound<depth_too_small::line>);
  CHECK(penstock::sound<depth_zero::line>);
  CHECK(penstock::sound<duplicate_buffer::line>);
  CHECK(penstock::sound<duplicate_read::line>);
  CHECK(penstock::sound<duplicate_stage::line>);
  CHECK(penstock::sound<duplicate_write::line>);
  CHECK(penstock::sound<empty_plan::line>);
  CHECK(penstock::sound<look_ahead::line>);
  CHECK(penstock::sound<look_past_stop::line>);
  CHECK(penstock::sound<never_read::line>);
  CHECK(penstock::sound<never_written::line>);
  CHECK(penstock::sound<not_bound::line>);
  CHECK(penstock::sound<phase_bytes::line>);
  CHECK(penstock::sound<read_before_write::line>);
  CHECK(penstock::sound<shared_memory::line, shared_memory::small_target>);
  CHECK(penstock::sound<skew_beyond_limit::line>);
  CHECK(penstock::sound<slot_alignment::line, slot_alignment::small_target>);
  CHECK(penstock::sound<slot_bytes::line, slot_bytes::small_target>);
  CHECK(penstock::sound<slot_type::line>);
  CHECK(penstock::sound<time_out_of_range::line>);
  CHECK(penstock::sound<unknown_buffer::line>);
  CHECK(penstock::sound<unknown_buffer_in_json::line>);
  CHECK(penstock::sound<unknown_stage::line>);
  CHECK(penstock::sound<unused_buffer::line>);
  CHECK(penstock::sound<window_beyond_limit::line>);
  CHECK(penstock::sound<window_reversed::line>);
  CHECK(penstock::sound<window_wider_than_depth::line>);
}
