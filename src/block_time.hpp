// From a block's own clock to nanoseconds on one time axis for all blocks.
#pragma once

#include <penstock/check/trace_format.hpp>

#include <algorithm>

namespace penstock::command {

class block_time {
 public:
  // `origin` is the device's time that becomes 0, none later than c.global_begin.
  block_time(const trace::block_clock& c, const trace::header& h, std::uint64_t origin)
      : clock_begin_(c.clock_begin), begin_ns_(double(c.global_begin - origin)) {
    if (h.clock_khz > 0) ns_per_tick_ = 1e6 / h.clock_khz;
    if (c.clock_end <= c.clock_begin || c.global_end <= c.global_begin) return;
    clock_end_ = c.clock_end;
    // two readings of a coarse clock tell the rate only when they are many of its steps apart
    const double steps = double(c.global_end - c.global_begin) / std::max(1u, h.global_step_ns);
    if (steps >= 64 || h.clock_khz == 0)
      ns_per_tick_ = double(c.global_end - c.global_begin) / double(c.clock_end - c.clock_begin);
  }

  std::uint64_t clock_begin() const { return clock_begin_; }
  bool covers(std::uint64_t clock) const { return clock >= clock_begin_ && (clock_end_ == 0 || clock <= clock_end_); }
  double ns(std::uint64_t clock) const { return begin_ns_ + double(clock - clock_begin_) * ns_per_tick_; }

 private:
  std::uint64_t clock_begin_ = 0;
  std::uint64_t clock_end_ = 0;  // 0: the block did not say
  double begin_ns_ = 0;
  double ns_per_tick_ = 1;
};

}  // namespace penstock::command
