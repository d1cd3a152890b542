#include "trace_report.hpp"

#include "text_lines.hpp"
#include "utf8.hpp"
#include "words.hpp"

#include <algorithm>
#include <vector>

namespace penstock::command {
namespace {

struct mean {
  double sum = 0;
  std::uint64_t count = 0;
  void add(double v) {
    sum += v;
    ++count;
  }
  std::string text() const { return count == 0 ? "–" : time_text(sum / double(count)); }
};

struct stage_means {
  mean busy{}, in_flight{}, held{};
};

}  // namespace

std::string trace_text(const recorded_trace& t) {
  std::vector<stage_means> stages(t.stages.size());
  double end = 0;
  std::uint64_t stops = 0;
  for (const trace_block& b : t.blocks) {
    for (const trace_work& w : b.work) {
      stage_means& s = stages[std::size_t(w.stage)];
      s.busy.add(w.freed - w.begin);
      if (w.complete >= 0) s.in_flight.add(w.complete - w.begin);
      end = std::max({end, w.freed, w.complete});
    }
    for (const trace_pause& p : b.pauses)
      if (p.stage >= 0) stages[std::size_t(p.stage)].held.add(p.end - p.begin);
    stops += b.stops.size();
  }
  text_lines out;
  out.say("{}, {}, {} in {}", counted(static_cast<long long>(t.blocks.size()), "block"),
          counted(static_cast<long long>(t.agents.size()), "agent"),
          counted(static_cast<long long>(t.records), "record"), time_text(end));
  if (stops > 0) out.say("{} ended the run early", counted(static_cast<long long>(stops), "stage instance"));
  if (t.overwritten > 0) out.say("{} older records were overwritten in the rings", t.overwritten);
  if (t.damaged > 0) out.say("{} damaged records left out", t.damaged);
  if (t.unmatched > 0)
    out.say("{} left out whose other half is missing", counted(static_cast<long long>(t.unmatched), "event"));
  int width = 5;
  for (const std::string& s : t.stages) width = std::max(width, characters(s));
  out.say("\n  stage{:{}}  {:>10}  {:>12}  {:>12}  {:>12}", "", width - 5, "instances", "busy", "in flight",
          "held");
  for (std::size_t s = 0; s < stages.size(); ++s)
    out.say("  {}{:{}}  {:>10}  {:>12}  {:>12}  {:>12}", t.stages[s], "", width - characters(t.stages[s]),
            stages[s].busy.count, stages[s].busy.text(), stages[s].in_flight.text(), stages[s].held.text());
  out.say("\n  means of one instance: its agent at work, the operation in flight, the agent held before it");
  return std::move(out).text();
}

}  // namespace penstock::command
