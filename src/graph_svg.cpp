#include "explain.hpp"

#include "graph_layout.hpp"
#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace penstock::command {
namespace {

constexpr double margin = 16, title_baseline = 30, problem_step = 18, legend_height = 44, corner = 20;

class graph_drawing {
 public:
  graph_drawing(const bounded_plan& p, const analysis& a) : p_(p), a_(a) {
    double top = title_baseline;
    page_.text("title", margin, top, title());
    for (const refusal& r : a.problems) page_.text("small bad-text", margin, top += problem_step, r.message);
    layout_ = lay_out_graph(p, a, top + 16);
    width_ = layout_.width;
    for (const refusal& r : a.problems) width_ = std::max(width_, text_width(r.message, 11) + 2 * margin);
    width_ = std::max({width_, text_width(title(), 15) + 2 * margin, 640.0});
    draw();
  }
  std::string document() const { return page_.finish(width_, layout_.height + legend_height, title()); }

 private:
  std::string title() const {
    std::string out =
        fmt::format("{}, {}, {}", counted(p_.stages.size(), "stage"), counted(p_.buffers.size(), "buffer"),
                    counted(static_cast<long long>(a_.guards.size()), "guard"));
    if (!a_.ok()) out = "rejected: " + counted(p_.stages.size(), "stage") + ", " + counted(p_.buffers.size(), "buffer");
    if (a_.bound && a_.bound->found()) out += fmt::format(" · {} an iteration", time_text(a_.bound->period_ns()));
    return out;
  }

  void draw() {
    for (const graph_lane& l : layout_.lanes) {
      page_.rectangle("lane", margin / 2, l.y, width_ - margin, l.height, 10);
      page_.text("small dim", margin + 4, l.y + 20, "agent");
      page_.text("", margin + 4, l.y + 36, l.agent);
    }
    for (const graph_edge& e : layout_.edges)
      if (e.carries_data) draw_line(e, "flow", e.kind ? "" : "flow-head");
    for (const graph_edge& e : layout_.edges)
      if (e.kind) draw_line(e, hazard_key(*e.kind), fmt::format("{}-fill", hazard_key(*e.kind)));
    for (const graph_box& b : layout_.boxes) draw_box(b);
    for (const graph_edge& e : layout_.edges) draw_label(e);
    draw_legend();
  }

  void draw_line(const graph_edge& e, std::string_view style, std::string_view head) {
    if (e.is_loop()) {
      const double above = e.start.y - 8, below = e.start.y + 8, far = e.start.x + 34;
      page_.path(style, fmt::format("M{0:.1f} {1:.1f}C{2:.1f} {1:.1f} {2:.1f} {3:.1f} {4:.1f} {3:.1f}", e.start.x,
                                    above, far, below, e.start.x + 8));
      page_.arrow_head(head, {e.start.x + 1, below}, -1, 0);
      return;
    }
    const double right = e.runs_forward() ? 1 : -1;  // and down, or left and up
    page_.path(style, fmt::format("M{0:.1f} {1:.1f}H{2:.1f}Q{3:.1f} {1:.1f} {3:.1f} {4:.1f}V{5:.1f}", e.start.x,
                                  e.start.y, e.finish.x - right * corner, e.finish.x, e.start.y + right * corner,
                                  e.finish.y - right * 8));
    if (!head.empty()) page_.arrow_head(head, {e.finish.x, e.finish.y - right}, 0, right);
  }

  void draw_box(const graph_box& b) {
    const auto& s = p_.stages[b.stage];
    page_.rectangle(s.mode == mode::async ? "box async" : "box", b.x, b.y, b.width, b.height, 8);
    const double middle = b.x + b.width / 2;
    double baseline = b.y + b.height / 2 - 15.0 * double(b.lines.size()) / 2 + 5;
    page_.text("name middle", middle, baseline, s.name);
    for (const std::string& line : b.lines) page_.text("small dim middle", middle, baseline += 15, line);
  }

  void draw_label(const graph_edge& e) {
    const double width = e.label_width(), height = e.guard_label.empty() ? one_line_label_height : label_height;
    const double offset = e.is_loop() ? 40 : 12;
    const double x = e.runs_forward() || e.is_loop() ? e.start.x + offset : e.start.x - offset - width;
    const double y = e.start.y - height / 2, middle = x + width / 2;
    page_.rectangle("pill", x, y, width, height, 9);
    page_.text(e.carries_data ? "middle" : "middle dim", middle, y + 14, e.buffer_label);
    if (e.kind) page_.text(fmt::format("small middle {}-text", hazard_key(*e.kind)), middle, y + 28, e.guard_label);
  }

  void draw_legend() {
    double x = margin;
    const double y = layout_.height + 24;
    const auto entry = [&](std::string_view style, std::string_view head, std::string_view words) {
      page_.line(style, {x, y}, {x + 30, y});
      if (!head.empty()) page_.arrow_head(head, {x + 36, y}, 1, 0);
      page_.text("small dim", x + 44, y + 4, words);
      x += 44 + text_width(words, 11) + 24;
    };
    entry("flow", "", "data");
    const auto has = [&](hazard k) {
      return std::any_of(a_.guards.begin(), a_.guards.end(), [&](const guard& g) { return g.kind == k; });
    };
    if (has(hazard::raw)) entry("raw", "raw-fill", "RAW: wait for the data");
    if (has(hazard::war)) entry("war", "war-fill", "WAR: wait for the slot");
    if (has(hazard::waw)) entry("waw", "waw-fill", "WAW: keep writes in order");
    if (!a_.guards.empty()) page_.text("small dim", x, y + 4, "no number: same iteration");
  }

  const bounded_plan& p_;
  const analysis& a_;
  svg_page page_;
  graph_layout layout_;
  double width_ = 0;
};

}  // namespace

std::string graph_svg(const parsed_plan& p, const analysis& a) { return graph_drawing(p.value, a).document(); }

}  // namespace penstock::command
