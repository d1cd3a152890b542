#include "timeline.hpp"

#include "span_layout.hpp"
#include "svg.hpp"
#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace penstock::command {
namespace {

constexpr double margin = 16, title_baseline = 30, phase_height = 20, axis_height = 26, bar_height = 20, bar_gap = 4;
constexpr double lane_padding = 8, lane_gap = 8, note_height = 14, time_width = 1160, legend_height = 40;
constexpr double tick_spacing = 110;

class chart {
 public:
  explicit chart(const timeline& t) : t_(t) {
    double agent_width = text_width("agent"), stage_width = text_width("stage");
    for (const timeline_row& r : t.rows) {
      agent_width = std::max(agent_width, text_width(r.agent));
      stage_width = std::max({stage_width, text_width(r.stage), text_width(r.note, 11)});
    }
    stage_x_ = 2 * margin + agent_width;
    origin_ = stage_x_ + stage_width + margin;
    spans_ = span_layout(t.shown, origin_, time_width);
    page_.text("title", margin, title_baseline, t.title);
    top_ = title_baseline + 14 + (t.phases.empty() ? 0 : phase_height) + axis_height;
    draw_lanes();
    draw_phases();
    draw_axis();
    draw_waits();
    draw_bars();
    draw_causes();
    draw_legend();
  }
  std::string document() const {
    return page_.finish(origin_ + time_width + margin, bottom_ + legend_height, t_.title);
  }

 private:
  double x_of(std::size_t n, double time) const { return spans_.x_of(n, time); }
  template <class F>
  void for_each_span(double begin, double end, F&& f) {
    spans_.for_each(begin, end, f);
  }

  void draw_lanes() {
    double y = top_;
    for (std::size_t r = 0; r < t_.rows.size();) {
      const double lane_top = y;
      const std::size_t first = r;
      y += lane_padding;
      for (; r < t_.rows.size() && t_.rows[r].agent == t_.rows[first].agent; ++r) {
        row_y_.push_back(y);
        y += bar_height + bar_gap + (t_.rows[r].note.empty() ? 0 : note_height);
      }
      y += lane_padding - bar_gap;
      page_.rectangle("lane", margin / 2, lane_top, origin_ + time_width, y - lane_top, 8);
      page_.text("", margin, row_y_[first] + 14, t_.rows[first].agent);
      y += lane_gap;
    }
    for (std::size_t r = 0; r < t_.rows.size(); ++r) {
      page_.text("", stage_x_, row_y_[r] + 14, t_.rows[r].stage);
      if (!t_.rows[r].note.empty()) page_.text("small dim", stage_x_, row_y_[r] + bar_height + 12, t_.rows[r].note);
    }
    bottom_ = y;
  }

  void draw_phases() {
    for (const timeline_phase& f : t_.phases)
      for_each_span(f.span.begin, f.span.end, [&](std::size_t n) {
        const double from = x_of(n, f.span.begin), to = x_of(n, f.span.end);
        page_.rectangle(f.style, from, title_baseline + 14, to - from, phase_height);
        page_.rectangle(fmt::format("{} faint", f.style), from, top_, to - from, bottom_ - lane_gap - top_);
        if (to - from > text_width(f.name, 11) + 8)
          page_.text("small middle", (from + to) / 2, title_baseline + 28, f.name);
      });
  }

  void draw_axis() {
    page_.text("small dim", margin, top_ - 8, "agent");
    page_.text("small dim", stage_x_, top_ - 8, "stage");
    for (std::size_t n = 0; n < t_.shown.size(); ++n) {
      const timeline_span& s = t_.shown[n];
      for (double time : ticks(s, tick_spacing / spans_.scale())) {
        const double x = x_of(n, time);
        page_.line("grid", {x, top_ - 8}, {x, bottom_ - lane_gap});
        if (x + 60 < x_of(n, s.end)) page_.text("small dim", x + 3, top_ - 8, time_text(time));
      }
      if (n > 0) page_.text("title dim middle", x_of(n, s.begin) - span_layout::cut_width / 2, top_ - 8, "…");
    }
  }

  double middle_of(int row) const { return row_y_[std::size_t(row)] + bar_height / 2; }

  void draw_waits() {
    for (const timeline_wait& w : t_.waits)
      for_each_span(w.from, w.to, [&](std::size_t n) {
        const double from = x_of(n, w.from), to = x_of(n, w.to);
        if (to - from > 2) page_.line(fmt::format("{} thin", w.kind), {from, middle_of(w.row)}, {to, middle_of(w.row)});
      });
  }

  void draw_bars() {
    std::vector<double> drawn_to(t_.rows.size(), -1);
    for (const timeline_bar& b : t_.bars)
      for_each_span(b.begin, b.end, [&](std::size_t n) {
        const double y = row_y_[std::size_t(b.row)], from = x_of(n, b.begin), freed = x_of(n, b.freed);
        const double to = std::max(x_of(n, b.end), from + 1);
        double& edge = drawn_to[std::size_t(b.row)];
        if (to <= edge + 0.25) return;  // of thousands of bars in one pixel the first is enough
        edge = to;
        const bool odd = b.iteration % 2 != 0;
        if (!b.hint.empty()) page_.hint(b.hint);
        if (to > freed) page_.rectangle(odd ? "flight-odd" : "flight-even", from, y, to - from, bar_height, 3);
        if (freed > from) page_.rectangle(odd ? "busy-odd" : "busy-even", from, y, freed - from, bar_height, 3);
        const std::string number = fmt::format("{}", b.iteration);
        const double wide = text_width(number, 11) + 4;
        if (freed - from >= wide) page_.text("small on-dark middle", (from + freed) / 2, y + 14, number);
        else if (to - freed >= wide) page_.text("small on-light middle", (freed + to) / 2, y + 14, number);
        if (!b.hint.empty()) page_.end_hint();
      });
  }

  // From what completed to what it let start.
  void draw_causes() {
    std::vector<double> drawn_at(t_.rows.size(), -1);
    for (const timeline_wait& w : t_.waits)
      for_each_span(w.to, w.to, [&](std::size_t n) {
        if (w.cause_row < 0 || w.cause_row == w.row) return;
        const double x = x_of(n, w.to), cause = middle_of(w.cause_row), y = middle_of(w.row), down = y > cause ? 1 : -1;
        if (x <= drawn_at[std::size_t(w.row)] + 1) return;
        drawn_at[std::size_t(w.row)] = x;
        const double leave = cause + down * bar_height / 2, enter = y - down * bar_height / 2;
        page_.path(fmt::format("{} thin", w.kind),
                   fmt::format("M{0:.1f} {1:.1f}C{2:.1f} {3:.1f} {2:.1f} {4:.1f} {0:.1f} {5:.1f}", x, leave, x - 7,
                               leave + down * 6, enter - down * 6, enter));
        page_.path(fmt::format("{}-fill", w.kind), fmt::format("M{:.1f} {:.1f}l-3.5 {:.1f}h7Z", x, enter, -down * 6));
      });
  }

  void draw_legend() {
    double x = margin;
    const double y = bottom_ + 14;
    const auto words = [&](std::string_view s) {
      page_.text("small dim", x, y + 4, s);
      x += text_width(s, 11) + 24;
    };
    page_.rectangle("busy-even", x, y - 7, 14, 14, 3);
    page_.rectangle("busy-odd", x + 16, y - 7, 14, 14, 3);
    x += 38;
    words("agent busy, even and odd iterations");
    page_.rectangle("flight-even", x, y - 7, 14, 14, 3);
    page_.rectangle("flight-odd", x + 16, y - 7, 14, 14, 3);
    x += 38;
    words("operation in flight");
    for (const auto& [kind, meaning] : {std::pair{"raw", "held for data (RAW)"},
                                        {"war", "held for a slot (WAR)"},
                                        {"waw", "held by an earlier write (WAW)"},
                                        {"held", "waiting"}}) {
      bool is_drawn = false;
      for (const timeline_wait& w : t_.waits) is_drawn = is_drawn || std::string_view(w.kind) == kind;
      if (!is_drawn) continue;
      page_.line(kind, {x, y}, {x + 24, y});
      x += 32;
      words(meaning);
    }
  }

  const timeline& t_;
  svg_page page_;
  double stage_x_ = 0, origin_ = 0, top_ = 0, bottom_ = 0;
  span_layout spans_;
  std::vector<double> row_y_;
};

}  // namespace

std::string timeline_svg(const timeline& t) { return chart(t).document(); }

}  // namespace penstock::command
