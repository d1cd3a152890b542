// Who touched each slot, and what it holds: finds races, missing proxy fences and stale values.
#pragma once

#include <penstock/check/clocks.hpp>
#include <penstock/check/report.hpp>

#include <vector>

namespace penstock::check::detail {

struct access {
  int component = 0;      // of the clocks: a thread, or a copy
  unsigned epoch = 0;
  bool async = false;     // by the bulk engine
  bool write = false;
  int instance = 0;       // as a version; the threads of one instance may share its slots
  int thread = 0;         // that made or issued it
  const event* what = nullptr;
};

class shadow {
 public:
  explicit shadow(std::size_t slots) : accesses_(slots), holds_(slots) {}

  // The latest access that `b`, made under clock `c`, conflicts with; `ordered` tells whether only the fence is
  // missing. A later iteration's write, fenced by whoever made it, stands between the engine and what came before.
  const access* conflict(int slot, const access& b, clocks::clock c, bool& ordered) const {
    int newest = -1;
    for (auto a = accesses_[slot].rbegin(); a != accesses_[slot].rend(); ++a) {
      if ((!a->write && !b.write) || a->component == b.component || a->instance == b.instance) continue;
      ordered = a->epoch <= c.ordered[a->component];
      if (!ordered) return &*a;
      if (a->write && newest < 0) newest = instance_of(a->instance);
      if (!a->async && b.async && instance_of(a->instance) >= newest && a->epoch > c.covered[a->component]) return &*a;
    }
    return nullptr;
  }
  void record(int slot, const access& b) {
    std::vector<access>& all = accesses_[slot];
    if (b.write && (all.empty() || all.back().instance != b.instance)) {
      // what is ordered after this write is ordered after all that came before the last other one
      std::size_t last = all.size();
      while (last > 0 && !(all[last - 1].write && all[last - 1].instance != b.instance)) --last;
      while (last > 1 && all[last - 2].instance == all[last - 1].instance) --last;
      if (last > 0) all.erase(all.begin(), all.begin() + long(last) - 1);
    }
    all.push_back(b);
  }

  int holds(int slot) const { return holds_[slot]; }
  void put(const slot_access& a) { holds_[a.where] = a.value; }

 private:
  std::vector<std::vector<access>> accesses_;
  std::vector<int> holds_;
};

}  // namespace penstock::check::detail
