// Random plans, and the ways to make a plan smaller while it still shows a failure.
#pragma once

#include "plan/plan_text.hpp"

#include <penstock/plan/plan.hpp>

#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ostream>
#include <utility>
#include <vector>

namespace penstock {

using small_plan = plan<5, 4>;

inline void showValue(const small_plan& p, std::ostream& out) { out << "\n" << plan_text::describe(p); }

}  // namespace penstock

namespace random_plan {

using penstock::small_plan;

inline constexpr std::array<const char*, 5> letters{"a", "b", "c", "d", "e"};
inline constexpr std::array<const char*, 4> buffers{"W", "X", "Y", "Z"};

// Narrows what the rules on reads forbid, so that only depths and deadlock are left to refuse a plan.
inline void repair(small_plan& p) {
  for (int b = 0; b < p.buffers.size(); ++b) {
    int first = -1, last = -1;
    for (int s = 0; s < p.stages.size(); ++s)
      if (p.stages[s].writes_to(b)) {
        if (first < 0) first = s;
        last = s;
      }
    for (int s = 0; s < p.stages.size(); ++s)
      for (auto& r : p.stages[s].reads) {
        if (r.buffer != b) continue;
        if (first >= s || first < 0) r.window.last = std::min(r.window.last, -1);
        if (last > s) r.window.last = std::min(r.window.last, 0);
        r.window.first = std::min(r.window.first, r.window.last);
      }
  }
}

inline int pick(int first, int end) { return *rc::gen::inRange(first, end); }
inline bool chance(int in_eight) { return pick(0, 8) < in_eight; }

inline penstock::reach arbitrary_window() {
  if (chance(4)) return {};
  const int first = pick(-2, 3);
  return {first, first + pick(0, 3)};
}

inline void arbitrary_accesses(small_plan& p, int buffer) {
  const int stages = p.stages.size(), writer = pick(0, std::max(1, stages - 1));
  const bool shared = chance(3);  // with further writers
  bool read = false;
  p.stages[writer].writes.add(buffer);
  for (int s = 0; s < stages; ++s) {
    const bool also_writes = shared && s != writer && chance(3);
    if ((s > writer && chance(4)) || chance(1) || (s == stages - 1 && !read)) {
      p.stages[s].reads.add({buffer, arbitrary_window()});
      read = true;
    }
    if (also_writes) p.stages[s].writes.add(buffer);
  }
}

inline small_plan arbitrary_plan() {
  small_plan p;
  const int stages = pick(1, 6), agents = chance(2) ? 1 : chance(2) ? stages : pick(1, stages + 1);
  const bool skewed = chance(4), reordered = chance(3);
  for (int b = pick(1, 5); b > 0; --b) p.buffers.add({buffers[std::size_t(p.buffers.size())], pick(1, 6)});
  for (int a = 0; a < agents; ++a) p.agents.add(letters[std::size_t(a)]);
  for (int s = 0; s < stages; ++s) {
    penstock::stage_info<4> stage;
    stage.name = letters[std::size_t(s)];
    stage.mode = chance(4) ? penstock::mode::sync : penstock::mode::async;
    stage.agent = agents == stages ? s : pick(0, agents);
    stage.skew = skewed ? pick(0, 4) : 0;
    stage.order = reordered ? pick(0, stages) : s;
    stage.issue_ns = chance(2) ? 0 : pick(0, 100);
    stage.latency_ns = chance(2) ? 0 : pick(0, 1000);
    p.stages.add(stage);
  }
  for (int b = 0; b < p.buffers.size(); ++b) arbitrary_accesses(p, b);
  if (chance(1)) {
    const int s = pick(0, stages);
    p.stages[s].stops = p.stages[s].mode == penstock::mode::sync;
    for (auto& t : p.stages)
      t.prefetches = p.stages[s].stops && t.mode == penstock::mode::async && t.reads.empty();
  }
  return p;
}

inline void drop_buffer(small_plan& p, int buffer) {
  const auto keep = [&](auto& accesses, const auto& is_of) {
    auto kept = accesses;
    kept.count = 0;
    for (const auto& a : accesses) if (!is_of(a)) kept.add(a);
    accesses = kept;
  };
  for (auto& s : p.stages) {
    keep(s.reads, [&](const penstock::read_access& r) { return r.buffer == buffer; });
    keep(s.writes, [&](int w) { return w == buffer; });
  }
}

// Every plan that is one step simpler than this one.
inline std::vector<small_plan> simpler(const small_plan& from) {
  std::vector<small_plan> all;
  const auto offer = [&](auto&& change) {
    small_plan p = from;
    change(p);
    if (plan_text::describe(p) != plan_text::describe(from)) all.push_back(p);
  };
  for (int s = 0; s < from.stages.size() && from.stages.size() > 1; ++s)
    offer([&](small_plan& p) {
      p.stages.count = 0;
      for (int k = 0; k < from.stages.size(); ++k) if (k != s) p.stages.add(from.stages[k]);
    });
  offer([](small_plan& p) {  // an order or a skew can need its window, and the window them
    for (int s = 0; s < p.stages.size(); ++s) {
      p.stages[s].order = s;
      p.stages[s].skew = 0;
      for (auto& r : p.stages[s].reads) r.window = {};
    }
  });
  for (int s = 0; s + 1 < from.stages.size(); ++s)  // a reader that stands before the writer needs its window
    offer([&](small_plan& p) {
      std::swap(p.stages[s], p.stages[s + 1]);
      for (int k : {s, s + 1}) {
        p.stages[k].order = k;
        for (auto& r : p.stages[k].reads) r.window = {};
      }
    });
  for (int b = 0; b < from.buffers.size(); ++b) {
    offer([&](small_plan& p) { drop_buffer(p, b); });
    offer([&](small_plan& p) { p.buffers[b].depth = std::max(1, p.buffers[b].depth - 1); });
  }
  for (int s = 0; s < from.stages.size(); ++s) {
    offer([&](small_plan& p) { p.stages[s].mode = penstock::mode::sync; });
    offer([&](small_plan& p) { p.stages[s].agent = std::max(0, p.stages[s].agent - 1); });
    offer([&](small_plan& p) { p.stages[s].skew = std::max(0, p.stages[s].skew - 1); });
    offer([&](small_plan& p) { p.stages[s].order = s; });
    offer([&](small_plan& p) { p.stages[s].stops = p.stages[s].prefetches = false; });
    offer([&](small_plan& p) { p.stages[s].issue_ns = p.stages[s].latency_ns = 0; });
    offer([&](small_plan& p) { p.stages[s].writes.count = std::max(0, p.stages[s].writes.count - 1); });
    offer([&](small_plan& p) { p.stages[s].reads.count = std::max(0, p.stages[s].reads.count - 1); });
    for (int r = 0; r < from.stages[s].reads.size(); ++r) {
      offer([&](small_plan& p) { p.stages[s].reads[r].window = {}; });
      offer([&](small_plan& p) { p.stages[s].reads[r].window.first = p.stages[s].reads[r].window.last; });
    }
  }
  return all;
}

// How much there is to look at in a plan: what goes with a stage or an access weighs less than the stage or access.
inline long long complexity(const small_plan& p) {
  long long sum = 0;
  for (const auto& b : p.buffers) sum += b.depth;
  for (int s = 0; s < p.stages.size(); ++s) {
    const auto& stage = p.stages[s];
    sum += 100'000 + 1000 * (stage.reads.size() + stage.writes.size());
    sum += std::abs(stage.agent) + std::abs(stage.skew) + std::abs(stage.order - s);
    sum += (stage.mode != penstock::mode::sync) + stage.stops + stage.prefetches;
    sum += (stage.issue_ns != 0) + (stage.latency_ns != 0);
    for (const auto& r : stage.reads) sum += std::abs(r.window.first) + std::abs(r.window.last);
  }
  return sum;
}

// What a failure is tried on next. A repair can undo what made a plan simpler: those that are not are left out, or a
// failure would be shrunk for ever.
inline std::vector<small_plan> shrunk(const small_plan& from, bool repaired) {
  std::vector<small_plan> smaller = simpler(from);
  if (repaired) for (small_plan& p : smaller) repair(p);
  std::erase_if(smaller, [&](const small_plan& p) { return complexity(p) >= complexity(from); });
  return smaller;
}

inline rc::Gen<small_plan> shrinking(rc::Gen<small_plan> plans, bool repaired) {
  return rc::gen::shrink(rc::gen::noShrink(rc::gen::resize(rc::kNominalSize, std::move(plans))),
                         [repaired](const small_plan& p) { return rc::seq::fromContainer(shrunk(p, repaired)); });
}

// Breaks no rule but, perhaps, those of depth and deadlock.
inline rc::Gen<small_plan> with_sound_accesses() {
  return shrinking(rc::gen::exec([] {
    small_plan p = arbitrary_plan();
    repair(p);
    return p;
  }), true);
}

inline rc::Gen<small_plan> with_any_accesses() {
  return shrinking(rc::gen::exec([] { return arbitrary_plan(); }), false);
}

}  // namespace random_plan
