#include "trace_report.hpp"

#include "input_error.hpp"
#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock::command {
namespace {

constexpr std::size_t most_bars = 600;  // of a longer record the first are drawn
constexpr std::size_t most_lanes = 8;   // of one stage's operations in flight

double end_of(const trace_work& w) { return std::max(w.freed, w.complete); }

const trace_block& choose_block(const recorded_trace& t, std::optional<std::uint32_t> wanted) {
  for (const trace_block& b : t.blocks)
    if (wanted ? b.block == *wanted : !b.work.empty()) return b;
  if (wanted) throw input_error(fmt::format("the trace holds no block {}", *wanted));
  throw input_error("no block of the trace has a finished stage to draw");
}

class builder {
 public:
  builder(const recorded_trace& t, const trace_block& block) : t_(t) {
    std::vector<trace_work> work = block.work;
    std::stable_sort(work.begin(), work.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
    const std::size_t drawn = std::min(work.size(), most_bars);
    out.title = fmt::format("block {} on SM {}", block.block, block.multiprocessor);
    if (drawn < work.size()) out.title += fmt::format(": the first {} of {} stage instances", drawn, work.size());
    work.resize(drawn);
    timeline_span shown{work.front().begin, work.front().begin};
    for (const trace_work& w : work) shown.end = std::max(shown.end, end_of(w));
    out.shown = {shown};
    for (std::size_t a = 0; a < t.agents.size(); ++a)
      for (std::size_t s = 0; s < t.stages.size(); ++s) add_stage(work, static_cast<int>(a), static_cast<int>(s));
    for (const trace_pause& p : block.pauses) add_pause(p);
    std::stable_sort(out.bars.begin(), out.bars.end(), [](const auto& a, const auto& b) { return a.begin < b.begin; });
  }
  timeline out{};

 private:
  // Each instance takes the first lane that is free; what finds none is left out, and counted.
  void add_stage(const std::vector<trace_work>& work, int agent, int stage) {
    std::vector<double> lane_ends;
    const int first_row = static_cast<int>(out.rows.size());
    std::size_t left_out = 0;
    for (const trace_work& w : work) {
      if (w.agent != agent || w.stage != stage) continue;
      std::size_t lane = 0;
      while (lane < lane_ends.size() && lane_ends[lane] > w.begin) ++lane;
      if (lane == most_lanes) {
        ++left_out;
        continue;
      }
      if (lane == lane_ends.size()) {
        lane_ends.push_back(0);
        out.rows.push_back({t_.agents[std::size_t(agent)], lane == 0 ? t_.stages[std::size_t(stage)] : "", ""});
      }
      lane_ends[lane] = end_of(w);
      out.bars.push_back({first_row + static_cast<int>(lane), w.begin, w.freed, end_of(w),
                          static_cast<long long>(w.iteration),
                          fmt::format("{} {}, slot {}: {} to {}", t_.stages[std::size_t(stage)], w.iteration, w.slot,
                                      time_text(w.begin), time_text(end_of(w)))});
    }
    if (left_out > 0) out.rows.back().note = fmt::format("{} more in flight", left_out);
  }

  void add_pause(const trace_pause& p) {
    if (p.stage < 0) return;
    for (std::size_t r = 0; r < out.rows.size(); ++r)
      if (out.rows[r].agent == t_.agents[std::size_t(p.agent)] &&
          out.rows[r].stage == t_.stages[std::size_t(p.stage)]) {
        out.waits.push_back({static_cast<int>(r), p.begin, p.end, -1, "held"});
        return;
      }
  }

  const recorded_trace& t_;
};

}  // namespace

timeline trace_timeline(const recorded_trace& t, std::optional<std::uint32_t> block) {
  const trace_block& b = choose_block(t, block);
  if (b.work.empty()) throw input_error(fmt::format("block {} of the trace has no finished stage to draw", b.block));
  return builder(t, b).out;
}

}  // namespace penstock::command
