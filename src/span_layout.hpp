// Where times lie on a page that shows some spans of time and leaves out what lies between them.
#pragma once

#include "timeline.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace penstock::command {

class span_layout {
 public:
  static constexpr double cut_width = 36;  // between two spans

  span_layout() = default;
  span_layout(const std::vector<timeline_span>& shown, double origin, double width) : shown_(shown) {
    double total = 0;
    for (const timeline_span& s : shown) total += s.length();
    scale_ = total > 0 ? (width - cut_width * double(shown.size() - 1)) / total : 1;
    for (const timeline_span& s : shown) {
      begins_.push_back(origin);
      origin += s.length() * scale_ + cut_width;
    }
  }

  double scale() const { return scale_; }  // of the page to time
  double x_of(std::size_t n, double time) const {
    return begins_[n] + (std::clamp(time, shown_[n].begin, shown_[n].end) - shown_[n].begin) * scale_;
  }
  // Calls f(n) for each span that shows some of begin … end.
  template <class F>
  void for_each(double begin, double end, F&& f) const {
    for (std::size_t n = 0; n < shown_.size(); ++n)
      if (begin < shown_[n].end && end >= shown_[n].begin) f(n);
  }

 private:
  std::vector<timeline_span> shown_{};
  std::vector<double> begins_{};
  double scale_ = 1;
};

}  // namespace penstock::command
