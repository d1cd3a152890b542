// Bars over time, a row for each thing that can be busy: what `simulate` works out and what `trace` recorded.
#pragma once

#include <string>
#include <vector>

namespace penstock::command {

struct timeline_row {
  std::string agent{};  // rows of one agent stand together
  std::string stage{};
  std::string note{};
};

// From `begin` the agent is busy until `freed`; an async operation is in flight until `end`.
struct timeline_bar {
  int row = 0;
  double begin = 0;
  double freed = 0;
  double end = 0;
  long long iteration = 0;
  std::string hint{};
};

// An agent was ready, but a guard held it until `to`, when the bar it points at began.
struct timeline_wait {
  int row = 0;
  double from = 0;
  double to = 0;
  int cause_row = -1;         // what completed at `to`; -1 where that is not known
  const char* kind = "held";  // "raw", "war" or "waw" where the guard is known
};

struct timeline_span {
  double begin = 0;
  double end = 0;
  double length() const { return end - begin; }
};

struct timeline_phase {
  const char* name = "";
  const char* style = "";
  timeline_span span{};
};

struct timeline {
  std::string title{};
  std::vector<timeline_row> rows{};
  std::vector<timeline_bar> bars{};
  std::vector<timeline_wait> waits{};
  std::vector<timeline_phase> phases{};
  std::vector<timeline_span> shown{};  // in order; what lies between two is left out
};

// Round times within the span, no closer than `least`; few, whatever the span.
std::vector<double> ticks(const timeline_span& s, double least);

std::string timeline_text(const timeline& t);
std::string timeline_svg(const timeline& t);

}  // namespace penstock::command
