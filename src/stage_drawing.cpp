#include "stage_drawing.hpp"

#include "utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace penstock::command {
namespace {

// A grid of glyphs that grows to the right as it is written.
class canvas {
 public:
  int add_row() {
    rows_.emplace_back();
    return static_cast<int>(rows_.size()) - 1;
  }
  std::string& at(int row, int column) {
    auto& cells = rows_[std::size_t(row)];
    if (cells.size() <= std::size_t(column)) cells.resize(std::size_t(column) + 1, " ");
    return cells[std::size_t(column)];
  }
  void write(int row, int column, std::string_view s) {
    for (; !s.empty(); ++column) {
      const auto length = std::size_t(std::max(1, decode_utf8(s).bytes));
      at(row, column) = s.substr(0, length);
      s.remove_prefix(length);
    }
  }
  std::string text() const {
    std::string out;
    for (const auto& cells : rows_) {
      std::string line;
      for (const std::string& c : cells) line += c;
      out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

std::string window_text(reach w) { return w.first == 0 && w.last == 0 ? "" : fmt::format("[{},{}]", w.first, w.last); }

std::string header(const buffer_info& b) { return fmt::format("{} ×{}", b.name, b.depth); }

std::string traits(const stage_info<most_buffers>& s) {
  std::string out = s.mode == mode::async ? "async" : "sync";
  if (s.skew != 0) out += fmt::format(" skew {}", s.skew);
  return out;
}

// A stage takes one line for its reads and one for its writes, so that each line has one direction.
struct line {
  int stage = -1;
  bool is_read = false;
  int row = -1;
  bool touches(const bounded_plan& p, int b) const {
    return is_read ? p.stages[stage].reads_from(b) : p.stages[stage].writes_to(b);
  }
};

class drawing {
 public:
  explicit drawing(const bounded_plan& p) : p_(p) {
    place_columns();
    head_row_ = page_.add_row();
    for (int a = 0; a < p.agents.size(); ++a) add_lane(a);
    draw_wires();
    for (const line& l : lines_) draw_accesses(l);
    page_.write(head_row_, agent_column, "agent");
    page_.write(head_row_, stage_column_, "stage");
    for (int b = 0; b < p.buffers.size(); ++b) page_.write(head_row_, wire(b), header(p.buffers[b]));
  }
  std::string text() const { return page_.text(); }

 private:
  static constexpr int agent_column = 2;

  int wire(int b) const { return wires_[std::size_t(b)]; }

  void place_columns() {
    int agent_width = 5, name_width = 5, traits_width = 0;
    for (std::string_view a : p_.agents) agent_width = std::max(agent_width, characters(a));
    for (const auto& s : p_.stages) {
      name_width = std::max(name_width, characters(s.name));
      traits_width = std::max(traits_width, characters(traits(s)));
    }
    stage_column_ = agent_column + agent_width + 2;
    traits_column_ = stage_column_ + name_width + 1;
    line_column_ = traits_column_ + traits_width + 1;
    int column = line_column_ + 4;
    for (int b = 0; b < p_.buffers.size(); ++b) {
      int width = characters(header(p_.buffers[b]));
      for (const auto& s : p_.stages)
        for (const read_access& r : s.reads)
          if (r.buffer == b) width = std::max(width, 1 + characters(window_text(r.window)));
      wires_.push_back(column);
      column += width + 3;
    }
    width_ = column - 2;
  }

  void add_lane(int agent) {
    const auto members = stages_in_order(p_, agent);
    const int rule = page_.add_row();
    for (int c = agent_column; c < width_; ++c) page_.at(rule, c) = "┄";
    for (int i = 0; i < members.size(); ++i) {
      const auto& s = p_.stages[members[i]];
      const int row = page_.add_row();
      if (i == 0) page_.write(row, agent_column, p_.agents[agent]);
      page_.write(row, stage_column_, s.name);
      page_.write(row, traits_column_, traits(s));
      if (!s.reads.empty()) lines_.push_back({members[i], true, row});
      if (!s.writes.empty()) lines_.push_back({members[i], false, s.reads.empty() ? row : page_.add_row()});
    }
  }

  void draw_wires() {
    for (int b = 0; b < p_.buffers.size(); ++b) {
      int first = -1, last = -1;
      for (const line& l : lines_)
        if (l.touches(p_, b)) {
          if (first < 0) first = l.row;
          last = l.row;
        }
      for (int row = first; first >= 0 && row <= last; ++row) page_.at(row, wire(b)) = "│";
    }
  }

  void draw_accesses(const line& l) {
    int farthest = line_column_;
    for (int b = 0; b < p_.buffers.size(); ++b)
      if (l.touches(p_, b)) farthest = std::max(farthest, wire(b));
    for (int c = line_column_; c < farthest; ++c) {
      std::string& cell = page_.at(l.row, c);
      cell = cell == "│" ? "┼" : "─";
    }
    if (l.is_read) page_.at(l.row, line_column_) = "◀";
    for (int b = 0; b < p_.buffers.size(); ++b) {
      if (!l.touches(p_, b)) continue;
      page_.at(l.row, wire(b)) = "●";
      if (!l.is_read) page_.at(l.row, wire(b) - 1) = "▶";
    }
    if (l.is_read)
      for (const read_access& r : p_.stages[l.stage].reads)
        page_.write(l.row, wire(r.buffer) + 1, window_text(r.window));
  }

  const bounded_plan& p_;
  canvas page_;
  std::vector<int> wires_;
  std::vector<line> lines_;
  int head_row_ = 0, stage_column_ = 0, traits_column_ = 0, line_column_ = 0, width_ = 0;
};

}  // namespace

std::string draw_stages(const bounded_plan& p) { return drawing(p).text(); }

}  // namespace penstock::command
