// Where the stages, lanes and edges of a plan's graph go. Stages stand on a diagonal: what runs forward lies
// above it, what runs back lies below, so no label ever meets a line that is not its own.
#pragma once

#include "analysis.hpp"
#include "svg.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace penstock::command {

// Data that flows from a writer to a reader, a guard, or both where the guard waits for that data.
struct graph_edge {
  int from = -1;  // positions on the diagonal
  int to = -1;
  bool carries_data = false;
  std::optional<hazard> kind{};
  std::string buffer_label{};
  std::string guard_label{};
  point start{};   // on the side of the box it leaves
  point finish{};  // on the edge of the box it enters

  bool is_loop() const { return from == to; }
  bool runs_forward() const { return from < to; }
  double label_width() const;
};

struct graph_box {
  int stage = -1;
  std::vector<std::string> lines{};  // below the name
  double x = 0, y = 0, width = 0, height = 0;
};

struct graph_lane {
  std::string_view agent{};
  double y = 0, height = 0;
};

struct graph_layout {
  std::vector<graph_box> boxes{};  // down the diagonal
  std::vector<graph_lane> lanes{};
  std::vector<graph_edge> edges{};
  double width = 0, height = 0;
};

inline constexpr double label_height = 34, one_line_label_height = 20;

// Drawn from `top` downwards.
graph_layout lay_out_graph(const bounded_plan& p, const analysis& a, double top);

}  // namespace penstock::command
