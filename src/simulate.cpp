#include "simulate.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace penstock::command {
namespace {

// Walks the instances of one agent in its program order: step by step, within a step by order.
class walker {
 public:
  walker(const bounded_plan& p, int agent, int iterations)
      : p_(&p), iterations_(iterations), stages_(stages_in_order(p, agent)) {
    const auto by_skew = [&](int a, int b) { return p.stages[a].skew < p.stages[b].skew; };
    step_ = p.stages[*std::min_element(stages_.begin(), stages_.end(), by_skew)].skew;
    end_ = p.stages[*std::max_element(stages_.begin(), stages_.end(), by_skew)].skew + iterations;
    skip_absent();
  }
  bool done() const { return step_ >= end_; }
  int stage() const { return stages_[at_]; }
  int iteration() const { return step_ - p_->stages[stage()].skew; }
  void next() {
    advance();
    skip_absent();
  }
  double free_at = 0;

 private:
  void advance() {
    if (++at_ < stages_.size()) return;
    at_ = 0;
    ++step_;
  }
  void skip_absent() {
    while (!done() && (iteration() < 0 || iteration() >= iterations_)) advance();
  }

  const bounded_plan* p_;
  int iterations_;
  list<int, most_stages> stages_;
  int at_ = 0;
  int step_ = 0, end_ = 0;
};

class run_of_plan {
 public:
  run_of_plan(const bounded_plan& p, const std::vector<guard>& guards, int iterations)
      : p_(p), guards_(guards), iterations_(iterations) {
    result.stages.resize(std::size_t(p.stages.size()));
    for (auto& instances : result.stages) instances.reserve(std::size_t(iterations));
    std::vector<walker> agents;
    for (int a = 0; a < p.agents.size(); ++a) agents.emplace_back(p, a, iterations);
    // an instance's time is known as soon as all it waits for is, so agents go on in turn as far as they can
    for (bool moved = true; moved;) {
      moved = false;
      for (walker& w : agents)
        while (!w.done() && issue(w)) {
          w.next();
          moved = true;
        }
    }
    for (const walker& w : agents)
      if (!w.done()) throw std::logic_error("a sound plan ran into a deadlock");
  }
  simulation result{};

 private:
  bool issue(walker& w) {
    instance out;
    out.start = out.ready = w.free_at;
    for (std::size_t k = 0; k < guards_.size(); ++k) {
      const guard& g = guards_[k];
      if (g.waiter != w.stage()) continue;
      const int newest = std::min(w.iteration() - g.distance, iterations_ - 1);
      if (newest < 0) continue;
      const auto& others = result.stages[std::size_t(g.on)];
      if (others.size() <= std::size_t(newest)) return false;
      if (others[std::size_t(newest)].complete <= out.start) continue;
      out.start = others[std::size_t(newest)].complete;
      out.held_by = static_cast<int>(k);
    }
    const auto& s = p_.stages[w.stage()];
    out.freed = w.free_at = out.start + detail::occupancy_ns(s);
    out.complete = out.start + detail::completion_ns(s);
    result.end_ns = std::max({result.end_ns, out.freed, out.complete});
    result.stages[std::size_t(w.stage())].push_back(out);
    return true;
  }

  const bounded_plan& p_;
  const std::vector<guard>& guards_;
  int iterations_;
};

// Do all stages at iteration k start as long after k - cycle as they do around the middle of the run?
class rhythm {
 public:
  rhythm(const simulation& s, int middle, int cycle) : s_(s), cycle_(cycle) {
    for (const auto& stage : s.stages) interval_.push_back(interval(stage, middle));
  }
  bool holds(int k) const {
    for (std::size_t i = 0; i < s_.stages.size(); ++i) {
      const double tolerance = 1e-9 * (1 + s_.stages[i][std::size_t(k)].start);
      if (std::abs(interval(s_.stages[i], k) - interval_[i]) > tolerance) return false;
    }
    return true;
  }
  double longest() const { return *std::max_element(interval_.begin(), interval_.end()); }

 private:
  double interval(const std::vector<instance>& stage, int k) const {
    return stage[std::size_t(k)].start - stage[std::size_t(k - cycle_)].start;
  }
  const simulation& s_;
  int cycle_;
  std::vector<double> interval_;
};

std::optional<steady_state> find_steady_state(const simulation& s) {
  const int n = s.iterations(), middle = n / 2;
  for (int cycle = 1; cycle <= std::min(1024, n / 4); ++cycle) {
    const rhythm r(s, middle, cycle);
    const int reach = std::min(std::max(2 * cycle, 8), n / 4);  // long enough that no passing rhythm is taken for it
    bool holds = true;
    for (int k = std::max(cycle, middle - reach); k <= std::min(n - 1, middle + reach) && holds; ++k)
      holds = r.holds(k);
    if (!holds) continue;
    steady_state out{middle, middle, cycle, r.longest() / cycle};
    while (out.first - 1 >= cycle && r.holds(out.first - 1)) --out.first;
    while (out.last + 1 < n && r.holds(out.last + 1)) ++out.last;
    out.first -= cycle;
    return out;
  }
  return {};
}

}  // namespace

double simulation::period_of_second_half() const {
  double longest = 0;
  const int n = iterations();
  if (n < 2) return end_ns;
  const auto last = std::size_t(n - 1), middle = std::size_t((n - 1) / 2);
  for (const auto& s : stages) longest = std::max(longest, (s[last].start - s[middle].start) / double(last - middle));
  return longest;
}

simulation simulate(const bounded_plan& p, const std::vector<guard>& guards, int iterations) {
  simulation s = run_of_plan(p, guards, iterations).result;
  s.steady = find_steady_state(s);
  return s;
}

bool takes_no_time(const bounded_plan& p) {
  return std::all_of(p.stages.begin(), p.stages.end(),
                     [](const auto& s) { return s.issue_ns == 0 && s.latency_ns == 0; });
}

void give_unit_times(bounded_plan& p) {
  for (auto& s : p.stages) s.issue_ns = s.latency_ns = 1;
}

}  // namespace penstock::command
