#include "graph_layout.hpp"

#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace penstock::command {
namespace {

constexpr double margin = 16, port_step = 40, drop_step = 22, row_gap = 40, lane_padding = 14, lane_gap = 10;

std::string window_suffix(reach w) {
  return w.first == 0 && w.last == 0 ? "" : fmt::format(" [{},{}]", w.first, w.last);
}

std::string guard_label(const guard& g) {
  std::string out(detail::hazard_name(g.kind));
  if (g.distance != 0) out += fmt::format(" {} {}", std::abs(g.distance), g.distance > 0 ? "back" : "ahead");
  return out;
}

std::vector<int> diagonal_order(const bounded_plan& p) {
  std::vector<int> order;
  for (int s = 0; s < p.stages.size(); ++s) order.push_back(s);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const auto &x = p.stages[a], &y = p.stages[b];
    return x.agent != y.agent ? x.agent < y.agent : x.order < y.order;
  });
  return order;
}

std::vector<std::string> box_lines(const bounded_plan& p, int stage) {
  const auto& s = p.stages[stage];
  std::vector<std::string> lines{s.mode == mode::async ? "async" : "sync"};
  if (s.skew != 0) lines[0] += fmt::format(" · skew {}", s.skew);
  for (const read_access& r : s.reads)
    if (s.writes_to(r.buffer))  // an edge to itself says less than a word
      lines.push_back(fmt::format("{}: {}{}", r.window.first <= 0 && r.window.last >= 0 ? "in place" : "carried",
                                  p.buffers[r.buffer].name, window_suffix(r.window)));
  if (s.issue_ns > 0) lines.push_back("issue " + time_text(s.issue_ns));
  if (s.latency_ns > 0) lines.push_back("latency " + time_text(s.latency_ns));
  return lines;
}

std::vector<graph_edge> collect_edges(const bounded_plan& p, const analysis& a, const std::vector<int>& place) {
  std::vector<graph_edge> edges;
  std::vector<bool> merged(a.guards.size());
  for (int r = 0; r < p.stages.size(); ++r)
    for (const read_access& read : p.stages[r].reads)
      for (int w = 0; w < p.stages.size(); ++w) {
        if (w == r || !p.stages[w].writes_to(read.buffer)) continue;
        const buffer_info& b = p.buffers[read.buffer];
        graph_edge e{place[std::size_t(w)], place[std::size_t(r)], true, {}, {}, {}, {}, {}};
        e.buffer_label = fmt::format("{} ×{}{}", b.name, b.depth, window_suffix(read.window));
        for (std::size_t k = 0; k < a.guards.size(); ++k) {
          const guard& g = a.guards[k];
          if (g.kind != hazard::raw || g.on != w || g.waiter != r || g.buffer != read.buffer) continue;
          e.kind = g.kind;
          e.guard_label = guard_label(g);
          merged[k] = true;
        }
        edges.push_back(std::move(e));
      }
  for (std::size_t k = 0; k < a.guards.size(); ++k) {
    const guard& g = a.guards[k];
    if (merged[k]) continue;
    edges.push_back({place[std::size_t(g.on)],
                     place[std::size_t(g.waiter)],
                     false,
                     g.kind,
                     std::string(p.buffers[g.buffer].name),
                     guard_label(g),
                     {},
                     {}});
  }
  return edges;
}

// The edges at each side of a box, top to bottom and left to right, in the order in which the fewest cross.
struct ports {
  std::vector<graph_edge*> right{}, left{}, top{}, bottom{};
};

ports ports_of(std::vector<graph_edge>& edges, int box) {
  ports out;
  for (graph_edge& e : edges) {
    if (e.from == box) (e.runs_forward() || e.is_loop() ? out.right : out.left).push_back(&e);
    if (e.to == box && !e.is_loop()) (e.runs_forward() ? out.top : out.bottom).push_back(&e);
  }
  const auto sort = [](std::vector<graph_edge*>& v, auto&& key) {
    std::stable_sort(v.begin(), v.end(), [&](const graph_edge* a, const graph_edge* b) { return key(*a) < key(*b); });
  };
  // several edges between two boxes nest when they enter in the opposite order to the one they leave in
  std::reverse(out.top.begin(), out.top.end());
  std::reverse(out.bottom.begin(), out.bottom.end());
  sort(out.right, [](const graph_edge& e) { return -e.to; });
  sort(out.left, [](const graph_edge& e) { return -e.to; });
  sort(out.top, [](const graph_edge& e) { return -e.from; });
  sort(out.bottom, [](const graph_edge& e) { return -e.from; });
  return out;
}

// How far a box must keep from the one before it: the labels of what leaves to the left here, and to the right there,
// stand between the two.
double gap_before(const std::vector<graph_edge>& edges, int box) {
  if (box == 0) return margin;
  double gap = 48;
  for (const graph_edge& e : edges) {
    const bool leaves_left = e.from == box && !e.runs_forward() && !e.is_loop();
    const bool leaves_right = e.from + 1 == box && (e.runs_forward() || e.is_loop());
    if (leaves_left || leaves_right) gap = std::max(gap, e.label_width() + (e.is_loop() ? 64 : 44));
  }
  return gap;
}

graph_box size_of_box(const bounded_plan& p, int stage, const ports& port) {
  graph_box box{stage, box_lines(p, stage)};
  box.width = text_width(p.stages[stage].name, 14) + 28;
  for (const std::string& s : box.lines) box.width = std::max(box.width, text_width(s, 11) + 28);
  box.width = std::max(box.width, drop_step * double(1 + std::max(port.top.size(), port.bottom.size())));
  box.height = 34 + 15 * double(box.lines.size());
  box.height = std::max(box.height, port_step * double(std::max(port.right.size(), port.left.size())) + 8);
  return box;
}

// Boxes and lanes, down the diagonal.
void place_boxes(const bounded_plan& p, const std::vector<int>& order, double top, graph_layout& g) {
  double agent_width = text_width("agent");
  for (std::string_view name : p.agents) agent_width = std::max(agent_width, text_width(name));
  double x = margin + agent_width + 2 * margin, y = top;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const int stage = order[i];
    graph_box box = size_of_box(p, stage, ports_of(g.edges, static_cast<int>(i)));
    const bool same_lane = i > 0 && p.stages[order[i - 1]].agent == p.stages[stage].agent;
    y += i == 0 ? lane_padding : same_lane ? row_gap : 2 * lane_padding + lane_gap;
    x += gap_before(g.edges, static_cast<int>(i));
    box.x = x;
    box.y = y;
    if (same_lane) g.lanes.back().height = y + box.height + lane_padding - g.lanes.back().y;
    else g.lanes.push_back({p.agents[p.stages[stage].agent], y - lane_padding, box.height + 2 * lane_padding});
    x += box.width;
    y += box.height;
    g.boxes.push_back(std::move(box));
  }
  g.width = x + 2 * margin;
  g.height = y + lane_padding;
}

// Where edges leave and enter the boxes, spread along their sides.
void attach_edges(graph_layout& g) {
  const auto spread = [](double at, double length, std::size_t k, std::size_t n) {
    return at + length * (double(k) + 0.5) / double(n);
  };
  for (std::size_t i = 0; i < g.boxes.size(); ++i) {
    const graph_box& box = g.boxes[i];
    const ports port = ports_of(g.edges, static_cast<int>(i));
    for (std::size_t k = 0; k < port.right.size(); ++k)
      port.right[k]->start = {box.x + box.width, spread(box.y, box.height, k, port.right.size())};
    for (std::size_t k = 0; k < port.left.size(); ++k)
      port.left[k]->start = {box.x, spread(box.y, box.height, k, port.left.size())};
    for (std::size_t k = 0; k < port.top.size(); ++k)
      port.top[k]->finish = {spread(box.x, box.width, k, port.top.size()), box.y};
    for (std::size_t k = 0; k < port.bottom.size(); ++k)
      port.bottom[k]->finish = {spread(box.x, box.width, k, port.bottom.size()), box.y + box.height};
  }
}

}  // namespace

double graph_edge::label_width() const { return std::max(text_width(buffer_label), text_width(guard_label)) + 16; }

graph_layout lay_out_graph(const bounded_plan& p, const analysis& a, double top) {
  graph_layout g;
  const std::vector<int> order = diagonal_order(p);
  std::vector<int> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[std::size_t(order[i])] = static_cast<int>(i);
  g.edges = collect_edges(p, a, place);
  place_boxes(p, order, top, g);
  attach_edges(g);
  if (g.boxes.empty()) return g;
  const graph_box& last = g.boxes.back();
  for (const graph_edge& e : g.edges)  // loops of the last box stick out to its right
    if (e.is_loop() && e.from + 1 == static_cast<int>(g.boxes.size()))
      g.width = std::max(g.width, last.x + last.width + e.label_width() + 64);
  return g;
}

}  // namespace penstock::command
