#include "timeline.hpp"

#include <cmath>

namespace penstock::command {

std::vector<double> ticks(const timeline_span& s, double least) {
  std::vector<double> out;
  if (!(least > 0) || !(s.length() >= 0)) return {s.begin};
  const double magnitude = std::pow(10, std::floor(std::log10(least)));
  double step = 10 * magnitude;
  for (double f : {5.0, 2.0, 1.0})
    if (f * magnitude >= least) step = f * magnitude;
  const double first = std::ceil(s.begin / step);
  // counted, for a step can be too small to move a huge time
  for (int k = 0; k <= s.length() / least + 1; ++k)
    if (const double time = (first + k) * step; time <= s.end) out.push_back(time);
  return out;
}

}  // namespace penstock::command
