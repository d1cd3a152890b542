#include "simulate_report.hpp"

#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock::command {
namespace {

constexpr std::size_t most_lanes = 8;  // of one stage's operations in flight
constexpr double whole_run = 20;       // periods; of a longer run the head and the tail are shown
constexpr double most_head = 12, most_tail = 8, around_phase = 4;

class builder {
 public:
  builder(const bounded_plan& p, const std::vector<guard>& guards, const simulation& s)
      : p_(p), guards_(guards), s_(s) {
    out.title = fmt::format("{} of {}", counted(s.iterations(), "iteration"), counted(p.stages.size(), "stage"));
    mark_phases();
    choose_spans();
    first_row_.resize(s.stages.size());
    lanes_.resize(s.stages.size());
    for (int a = 0; a < p.agents.size(); ++a)
      for (int stage : stages_in_order(p, a)) add_rows(stage);
    for (int stage = 0; stage < p.stages.size(); ++stage) add_bars(stage);
  }
  timeline out{};

 private:
  double period() const { return s_.steady ? s_.steady->period_ns : s_.period_of_second_half(); }

  // Steady from when the slowest stage has joined the rhythm until the first has issued its last instance.
  void mark_phases() {
    double full = 0, draining = s_.end_ns;
    for (const auto& stage : s_.stages) {
      if (s_.steady) full = std::max(full, stage[std::size_t(s_.steady->first)].start);
      draining = std::min(draining, stage.back().freed);
    }
    if (!s_.steady || full >= draining) return;
    out.phases = {{"prologue", "prologue", {0, full}},
                  {"steady state", "steady", {full, draining}},
                  {"drain", "ending", {draining, s_.end_ns}}};
  }

  void choose_spans() {
    const double beat = period();
    double end = s_.end_ns;
    for (const auto& stage : s_.stages)
      if (stage.back().start >= end) end *= 1.01;  // what takes no time at the very end wants some room
    if (beat <= 0 || end <= whole_run * beat) {
      out.shown = {{0, end}};
      return;
    }
    const double full = out.phases.empty() ? 0 : out.phases[0].span.end;
    const double draining = out.phases.empty() ? end : out.phases[2].span.begin;
    const double head = std::min(most_head, full / beat + around_phase) * beat;
    const double tail = std::min(most_tail, (end - draining) / beat + around_phase) * beat;
    out.shown = {{0, head}, {end - tail, end}};
  }

  bool is_shown(const instance& i) const {
    return std::any_of(out.shown.begin(), out.shown.end(), [&](const timeline_span& span) {
      return i.start < span.end && std::max(i.freed, i.complete) >= span.begin;
    });
  }

  // How many instances are in flight at once at most, among those shown.
  std::size_t most_in_flight(int stage) const {
    const auto& all = s_.stages[std::size_t(stage)];
    std::size_t most = 1, oldest = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_shown(all[i])) continue;
      while (all[oldest].complete <= all[i].start && oldest < i) ++oldest;
      most = std::max(most, i - oldest + 1);
    }
    return most;
  }

  void add_rows(int stage) {
    const auto& s = p_.stages[stage];
    const std::size_t lanes = most_in_flight(stage);
    lanes_[std::size_t(stage)] = lanes;
    first_row_[std::size_t(stage)] = static_cast<int>(out.rows.size());
    for (std::size_t k = 0; k < std::min(lanes, most_lanes); ++k) {
      out.rows.push_back({std::string(p_.agents[s.agent]), k == 0 ? std::string(s.name) : "", ""});
      if (k + 1 == most_lanes && lanes > most_lanes)
        out.rows.back().note = fmt::format("{} more in flight", lanes - most_lanes);
    }
  }

  int row_of(int stage, int iteration) const {
    const std::size_t lane = std::size_t(iteration) % lanes_[std::size_t(stage)];
    return lane < most_lanes ? first_row_[std::size_t(stage)] + static_cast<int>(lane) : -1;
  }

  void add_bars(int stage) {
    const auto& all = s_.stages[std::size_t(stage)];
    for (int i = 0; i < s_.iterations(); ++i) {
      const instance& at = all[std::size_t(i)];
      const int row = row_of(stage, i);
      if (row < 0 || !is_shown(at)) continue;
      out.bars.push_back(
          {row, at.start, at.freed, std::max(at.freed, at.complete), i,
           fmt::format("{} {}: {} to {}", p_.stages[stage].name, i, time_text(at.start), time_text(at.complete))});
      if (at.held_by < 0) continue;
      const guard& g = guards_[std::size_t(at.held_by)];
      out.waits.push_back(
          {row, at.ready, at.start, row_of(g.on, std::min(i - g.distance, s_.iterations() - 1)), hazard_key(g.kind)});
    }
  }

  const bounded_plan& p_;
  const std::vector<guard>& guards_;
  const simulation& s_;
  std::vector<int> first_row_;
  std::vector<std::size_t> lanes_;
};

}  // namespace

timeline timeline_of(const bounded_plan& p, const std::vector<guard>& guards, const simulation& s) {
  return builder(p, guards, s).out;
}

}  // namespace penstock::command
