// A plan's runs event by event: slow, and written from the definitions alone, so that the library can be held to it.
#pragma once

#include <penstock/plan/guards.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace unrolled {

struct instance {
  int stage = 0;
  int iteration = 0;
};

// The completion of `first` must come before the issue of `then`.
struct must {
  instance first{};
  instance then{};
};

template <class Plan>
bool writes(const Plan& p, int stage, int buffer) {
  const auto& w = p.stages[stage].writes;
  return std::find(w.begin(), w.end(), buffer) != w.end();
}

// Everything that has to be ordered in a run of n iterations.
template <class Plan>
std::vector<must> obligations(const Plan& p, int n) {
  std::vector<must> all;
  const int stages = p.stages.size();
  const auto add = [&](int s, int i, int t, int j) { if (j < n) all.push_back({{s, i}, {t, j}}); };
  for (int r = 0; r < stages; ++r)
    for (const auto& read : p.stages[r].reads)
      for (int w = 0; w < stages; ++w) {
        if (!writes(p, w, read.buffer)) continue;
        for (int i = 0; i < n; ++i)
          for (int x = std::max(0, i + read.window.first); x <= std::min(n - 1, i + read.window.last); ++x) {
            if (w < r || x < i) add(w, x, r, i);                   // RAW
            add(r, i, w, x + p.buffers[read.buffer].depth);        // WAR: the slot's next value
            if (x == i && w > r) add(r, i, w, i);                  // WAR: a later writer of this iteration
            if (x > i && w == r) add(r, i, w, x);                  // WAR: it reads ahead what it will update itself
          }
      }
  for (int b = 0; b < p.buffers.size(); ++b)
    for (int w = 0; w < stages; ++w)
      for (int v = 0; v < stages; ++v) {
        if (!writes(p, w, b) || !writes(p, v, b)) continue;
        for (int x = 0; x < n; ++x) {
          add(w, x, v, x + p.buffers[b].depth);                    // WAW: the slot's next value
          if (w < v) add(w, x, v, x);                              // WAW: in declared order
        }
      }
  for (int v = 0; v < stages; ++v)
    for (int u = 0; u < stages; ++u) {
      if (!p.stages[v].stops || p.stages[u].prefetches) continue;
      for (int i = 0; i < n; ++i) {
        if (u != v) add(v, i, u, i + 1);                           // only then is it known that i + 1 runs
        for (int w = 0; w < stages; ++w)
          if (p.stages[w].prefetches) add(w, i, u, i);             // and it tells where the run ends
      }
    }
  return all;
}

// The issue and completion events of a run of n iterations, and what comes directly before what.
class run {
 public:
  template <class Plan>
  run(const Plan& p, int n) : stages_(p.stages.size()), n_(n), before_(std::size_t(2 * stages_ * n)) {
    struct turn { int step, order, stage, iteration; };
    for (int s = 0; s < stages_; ++s)
      for (int i = 0; i < n; ++i) comes_before(issue({s, i}), completion({s, i}));
    for (int a = 0; a < p.agents.size(); ++a) {
      std::vector<turn> program;
      for (int s = 0; s < stages_; ++s)
        for (int i = 0; i < n && p.stages[s].agent == a; ++i)
          program.push_back({i + p.stages[s].skew, p.stages[s].order, s, i});
      std::sort(program.begin(), program.end(), [](const turn& x, const turn& y) {
        if (x.step != y.step) return x.step < y.step;
        if (x.order != y.order) return x.order < y.order;
        return x.stage < y.stage;
      });
      for (std::size_t k = 0; k < program.size(); ++k) {
        const instance here{program[k].stage, program[k].iteration};
        const bool holds = p.stages[here.stage].mode == penstock::mode::sync;
        const int leaves = holds ? completion(here) : issue(here);
        if (k + 1 < program.size()) comes_before(leaves, issue({program[k + 1].stage, program[k + 1].iteration}));
        else last_.push_back(leaves);
      }
    }
  }

  void add(const penstock::guard& g) {
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j <= std::min(i - g.distance, n_ - 1); ++j) add(must{{g.on, j}, {g.waiter, i}});
  }
  void add(const must& m) { comes_before(completion(m.first), issue(m.then)); }

  // Does some order of the events respect everything?
  bool possible() const { return in_order().has_value(); }

  // For each event, the set of events before it; none if the run cannot complete.
  class history {
   public:
    bool holds(const run& r, const must& m) const { return before(r.completion(m.first), r.issue(m.then)); }
    // Is the instance complete once every agent has left its program?
    bool ends(const run& r, const instance& at) const {
      const int event = r.completion(at);
      return std::any_of(r.last_.begin(), r.last_.end(), [&](int l) { return l == event || before(event, l); });
    }

   private:
    friend class run;
    explicit history(std::size_t events) : words_((events + 63) / 64), bits_(events * words_) {}
    bool before(int x, int y) const { return bits_[std::size_t(y) * words_ + std::size_t(x) / 64] >> (x % 64) & 1; }
    std::size_t words_;
    std::vector<std::uint64_t> bits_;
  };

  std::optional<history> past() const {
    const auto order = in_order();
    if (!order) return {};
    history h(before_.size());
    for (int y : *order)
      for (int x : before_[std::size_t(y)]) {
        std::uint64_t* to = &h.bits_[std::size_t(y) * h.words_];
        const std::uint64_t* from = &h.bits_[std::size_t(x) * h.words_];
        for (std::size_t w = 0; w < h.words_; ++w) to[w] |= from[w];
        to[std::size_t(x) / 64] |= std::uint64_t{1} << (x % 64);
      }
    return h;
  }

 private:
  int issue(const instance& x) const { return 2 * (x.stage * n_ + x.iteration); }
  int completion(const instance& x) const { return issue(x) + 1; }
  void comes_before(int x, int y) { before_[std::size_t(y)].push_back(x); }

  std::optional<std::vector<int>> in_order() const {
    std::vector<std::vector<int>> after(before_.size());
    std::vector<std::size_t> missing(before_.size());
    std::vector<int> order;
    for (std::size_t y = 0; y < before_.size(); ++y) {
      missing[y] = before_[y].size();
      if (missing[y] == 0) order.push_back(int(y));
      for (int x : before_[y]) after[std::size_t(x)].push_back(int(y));
    }
    for (std::size_t k = 0; k < order.size(); ++k)
      for (int y : after[std::size_t(order[k])]) if (--missing[std::size_t(y)] == 0) order.push_back(y);
    if (order.size() != before_.size()) return {};
    return order;
  }

  int stages_;
  int n_;
  std::vector<std::vector<int>> before_;
  std::vector<int> last_;  // where each agent's program ends
};

template <class Plan, class Guards>
run with(const Plan& p, int n, const Guards& guards, int without = -1) {
  run r(p, n);
  int k = 0;
  for (const penstock::guard& g : guards) if (k++ != without) r.add(g);
  return r;
}

struct extent {
  int depth = 1, window = 0, skew = 0;
};

template <class Plan>
extent extent_of(const Plan& p) {
  extent e;
  int lowest = 0, highest = 0;
  for (const auto& b : p.buffers) e.depth = std::max(e.depth, b.depth);
  for (const auto& s : p.stages) {
    for (const auto& r : s.reads) e.window = std::max({e.window, std::abs(r.window.first), std::abs(r.window.last)});
    lowest = std::min(lowest, s.skew);
    highest = std::max(highest, s.skew);
  }
  e.skew = highest - lowest;
  return e;
}

// A trip count that shows everything that any other shows: a pair of instances that must be ordered is no farther apart
// than a lap and a window, and both fit.
template <class Plan>
int enough_iterations(const Plan& p) {
  const extent e = extent_of(p);
  return 2 * e.depth + 2 * e.window + e.skew + 2;
}

// A trip count in which every cycle of waits shows: each stage is passed once, each step goes at most this far back.
template <class Plan>
int enough_for_a_cycle(const Plan& p) {
  const extent e = extent_of(p);
  return 1 + p.stages.size() * (e.depth + e.window + e.skew + 1);
}

// Can everything that must be ordered be ordered at all, whatever the trip count?
template <class Plan>
bool possible(const Plan& p) {
  run r(p, enough_for_a_cycle(p));
  for (const must& m : obligations(p, enough_for_a_cycle(p))) r.add(m);
  return r.possible();
}

}  // namespace unrolled
