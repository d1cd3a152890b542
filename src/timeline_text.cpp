#include "timeline.hpp"

#include "utf8.hpp"
#include "words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace penstock::command {
namespace {

constexpr int width = 100;  // columns of time, shared by the spans shown
constexpr int label_step = 20;
constexpr std::string_view cut = " ⋯ ";

class chart {
 public:
  explicit chart(const timeline& t) : t_(t) {
    for (const timeline_span& s : t.shown) shown_ += s.length();
    for (const timeline_row& r : t.rows) {
      agent_width_ = std::max(agent_width_, characters(r.agent));
      stage_width_ = std::max(stage_width_, characters(r.stage));
    }
    if (!t.phases.empty()) add_line("", "", [&](const timeline_span& s) { return phases(s); });
    add_line("agent", "stage", [&](const timeline_span& s) { return axis(s); });
    for (std::size_t r = 0; r < t.rows.size(); ++r) {
      const timeline_row& row = t.rows[r];
      const bool new_agent = r == 0 || t.rows[r - 1].agent != row.agent;
      add_line(new_agent ? row.agent : "", row.stage,
               [&](const timeline_span& s) { return bars(s, static_cast<int>(r)); });
      if (!row.note.empty()) out += fmt::format("  {:{}}    {}\n", "", agent_width_ + stage_width_, row.note);
    }
    out +=
        "\n  a number, or its last digit, is where an iteration starts; █ the agent is busy, ░ the operation "
        "is in flight\n";
  }
  std::string out{};

 private:
  using cells = std::vector<std::string>;

  int columns(const timeline_span& s) const {
    return shown_ > 0 ? std::max(1, static_cast<int>(std::lround(width * s.length() / shown_))) : 1;
  }
  // Rounded to the nearest column boundary.
  int column(const timeline_span& s, double time) const {
    const double at = s.length() > 0 ? (time - s.begin) / s.length() * columns(s) : 0;
    return static_cast<int>(std::lround(std::clamp(at, 0.0, double(columns(s)))));
  }

  template <class F>
  void add_line(std::string_view agent, std::string_view stage, F&& cells_of) {
    std::string text = fmt::format("  {}{:{}}  {}{:{}}  ", agent, "", agent_width_ - characters(agent), stage, "",
                                   stage_width_ - characters(stage));
    for (std::size_t i = 0; i < t_.shown.size(); ++i) {
      if (i > 0) text += cut;
      for (const std::string& c : cells_of(t_.shown[i])) text += c;
    }
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  }

  static void write(cells& row, int at, std::string_view ascii) {
    for (std::size_t i = 0; i < ascii.size() && std::size_t(at) + i < row.size(); ++i)
      row[std::size_t(at) + i] = ascii[i];
  }

  cells phases(const timeline_span& s) const {
    cells row(std::size_t(columns(s)), " ");
    for (const timeline_phase& f : t_.phases) {
      if (f.span.end <= s.begin || f.span.begin >= s.end) continue;
      const int from = column(s, f.span.begin), to = column(s, f.span.end) - 1;
      if (to < from) continue;
      for (int c = from; c <= to; ++c) row[std::size_t(c)] = "─";
      row[std::size_t(from)] = f.span.begin < s.begin ? "─" : "├";
      row[std::size_t(to)] = f.span.end > s.end ? "─" : "┤";
      const std::string label = fmt::format(" {} ", f.name);
      const int room = to - from - 1, length = static_cast<int>(label.size());
      if (length <= room) write(row, from + 1 + (room - length) / 2, label);
    }
    return row;
  }

  cells axis(const timeline_span& s) const {
    cells row(std::size_t(columns(s)), " ");
    for (double tick : ticks(s, label_step * shown_ / width)) {
      const int c = column(s, tick);
      const std::string label = "|" + time_text(tick);
      if (c + static_cast<int>(label.size()) <= columns(s)) write(row, c, label);
    }
    return row;
  }

  cells bars(const timeline_span& s, int row_index) const {
    cells row(std::size_t(columns(s)), " ");
    for (const timeline_bar& b : t_.bars) {
      if (b.row != row_index || b.end < s.begin || b.begin >= s.end) continue;
      const int from = std::min(column(s, b.begin), columns(s) - 1);
      const int freed = column(s, b.freed), to = std::max(column(s, b.end), from + 1);
      for (int c = from; c < to; ++c) row[std::size_t(c)] = c < freed ? "█" : "░";
      if (b.begin < s.begin) continue;
      const std::string number = fmt::format("{}", b.iteration);
      const bool fits = number.size() < std::size_t(to - from) || number.size() == 1;
      write(row, from, fits ? number : number.substr(number.size() - 1));
    }
    return row;
  }

  const timeline& t_;
  double shown_ = 0;
  int agent_width_ = 5, stage_width_ = 5;
};

}  // namespace

std::string timeline_text(const timeline& t) { return chart(t).out; }

}  // namespace penstock::command
