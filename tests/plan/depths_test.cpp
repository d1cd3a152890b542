// The depth that works, and the depth that is fast enough.
#include "plan/random_plan.hpp"
#include "plan/unrolled.hpp"
#include "support/properties.hpp"

#include <penstock/plan/depths.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

using penstock::choose_depths;
using penstock::period_ns;
using penstock::small_plan;
using plan_text::any_plan;
using plan_text::parse;

template <class Plan>
Plan with_depth(Plan p, int buffer, int depth) {
  p.buffers[buffer].depth = depth;
  return p;
}

template <class Plan, class Depths>
Plan with_depths(Plan p, const Depths& depths) {
  for (int b = 0; b < p.buffers.size(); ++b) p.buffers[b].depth = depths[b];
  return p;
}

const std::string three_agents = "buffer in depth 1\nbuffer out depth 1\n"
                                 "stage read async writes in takes 20 500\n"
                                 "stage compute sync reads in writes out takes 100 0\n"
                                 "stage write async reads out takes 30 300\n";

}  // namespace

TEST_CASE("the smallest depth that works is the smallest one that can complete") {
  CHECK(properties::check(2000, "smallest depth", [] {
    const small_plan p = *random_plan::with_sound_accesses();
    for (int b = 0; b < p.buffers.size(); ++b) {
      const int smallest = penstock::smallest_depth(p, b);
      if (smallest == 0) {
        RC_ASSERT(!unrolled::possible(with_depth(p, b, 24)));  // no cycle of so few stages needs more
        continue;
      }
      RC_ASSERT(unrolled::possible(with_depth(p, b, smallest)));
      if (smallest > 1) RC_ASSERT(!unrolled::possible(with_depth(p, b, smallest - 1)));
    }
  }));
}

TEST_CASE("the smallest depth does not depend on what is declared, be it none") {
  for (const int declared : {0, 1, 7, penstock::automatic}) {
    any_plan p = parse("buffer in depth 1\nstage read async writes in\nstage compute sync reads in[-1,1]");
    p.buffers[0].depth = declared;
    CHECK(penstock::smallest_depth(p, 0) == 3);
    CHECK(penstock::smallest_depths(p)[0] == 3);
  }
}

TEST_CASE("the smallest depth beside others that are too shallow as well") {
  any_plan p = parse("buffer in depth 2\nbuffer out depth 2\nstage read async writes in\n"
                     "stage compute sync reads in[-1,1] writes out\nstage write async reads out[-3,0]");
  CHECK(penstock::smallest_depth(p, 0) == 0);  // as declared, the other one still deadlocks
  CHECK(penstock::smallest_depths(p)[0] == 3);
  CHECK(penstock::smallest_depths(p)[1] == 4);
  p.buffers[1].depth = penstock::automatic;
  CHECK(penstock::smallest_depth(p, 0) == 3);
  // two rings that are too shallow together: either of them deeper would do
  const any_plan loop = parse("buffer x depth 1\nbuffer y depth 1\nstage a async agent one writes x\n"
                              "stage b async agent two writes y\nstage c sync agent one skew 1 reads y\n"
                              "stage d sync agent two skew 1 reads x");
  const auto least = penstock::smallest_depths(loop);
  for (int b = 0; b < 2; ++b) {
    CHECK(least[b] == penstock::smallest_depth(loop, b));
    CHECK(unrolled::possible(with_depth(loop, b, least[b])));
  }
}

TEST_CASE("the smallest depths of any plan complete, taken together") {
  CHECK(properties::check(2000, "smallest depths", [] {
    small_plan p = *random_plan::with_sound_accesses();
    if (*rc::gen::arbitrary<bool>()) p.buffers[0].depth = 0;
    const auto least = penstock::smallest_depths(p);
    RC_ASSERT(least.size() == p.buffers.size());
    small_plan deep = p;
    for (auto& b : deep.buffers) b.depth = 24;
    if (!unrolled::possible(deep)) {
      for (int depth : least) RC_ASSERT(depth == 0);
      return;
    }
    small_plan together = p;
    bool all = true;
    for (int b = 0; b < p.buffers.size(); ++b) {
      const int alone = penstock::smallest_depth(p, b);
      if (alone > 0) RC_ASSERT(least[b] == alone);
      together.buffers[b].depth = std::max(p.buffers[b].depth, least[b]);
      all = all && least[b] > 0;
    }
    if (all) RC_ASSERT(unrolled::possible(together));
  }));
}

TEST_CASE("depths for stages in agents of their own: (L + C) over the period") {
  const any_plan p = parse(three_agents);
  const auto fastest = choose_depths(p);
  REQUIRE(fastest.size() == 2);
  CHECK(fastest[0] == 6);  // 600 ns from issue to release at 100 ns an iteration
  CHECK(fastest[1] == 4);
  CHECK(period_ns(with_depths(p, fastest)) == 100);
  for (const double target : {100., 101., 150., 200., 299., 300., 600., 1e6}) {
    const auto depths = choose_depths(p, target);
    CHECK(depths[0] == std::ceil(600 / target));
    CHECK(depths[1] == std::ceil(400 / target));
  }
}

TEST_CASE("a target shorter than any depth allows changes nothing") {
  const any_plan p = parse(three_agents);
  CHECK(choose_depths(p, 1)[0] == 6);
  CHECK(choose_depths(p, 1)[1] == 4);
}

TEST_CASE("a depth for two async stages of one agent") {
  // skew 5 is as far ahead as the latency asks for, at 7 + 11 ns an iteration
  const any_plan p = parse("buffer b depth 1\nstage p async agent a writes b takes 7 90\n"
                           "stage c async agent a skew 5 reads b takes 11 60");
  const auto depths = choose_depths(p);
  REQUIRE(depths.size() == 1);
  CHECK(depths[0] == 5 + 1 + (int(std::ceil((60. + 7) / 18)) - 1));
  CHECK(period_ns(with_depths(p, depths)) == 18);
  CHECK(period_ns(with_depth(p, 0, depths[0] - 1)) > 18);
}

TEST_CASE("a window takes its slots on top") {
  const any_plan p = parse("buffer in depth 1\nstage read async writes in takes 10 390\n"
                           "stage compute sync reads in[-1,1] takes 100 0");
  CHECK(choose_depths(p)[0] == 5 + 2);
}

TEST_CASE("automatic depths leave the other buffers as declared") {
  any_plan p = parse(three_agents);
  p.buffers[0].depth = penstock::automatic;
  p.buffers[1].depth = 2;  // 400 ns over two slots
  REQUIRE(penstock::choose_automatic_depths(p));
  CHECK(p.buffers[0].depth == 3);
  CHECK(p.buffers[1].depth == 2);
}

TEST_CASE("no time, no depth") {
  any_plan p = parse("buffer in depth 1\nstage read async writes in takes 0 500\nstage compute sync reads in");
  CHECK(choose_depths(p).empty());
  p.stages[1].issue_ns = 250;
  CHECK(choose_depths(p)[0] == 3);
}

TEST_CASE("a deadlock that no depth resolves is left for find_problems to tell") {
  any_plan p = parse("buffer x depth 3\nstage get sync agent all order 1 writes x takes 5 5\n"
                     "stage add sync agent all order 0 reads x");
  p.buffers[0].depth = penstock::automatic;
  REQUIRE(penstock::choose_automatic_depths(p));
  CHECK(penstock::find_deadlock(p).found());
}

TEST_CASE("a depth beyond any ring's is given as such") {
  const any_plan p = parse("buffer in depth 1\nstage read async writes in takes 0 1000000000\n"
                           "stage compute sync reads in takes 1 0");
  CHECK(choose_depths(p)[0] > penstock::max_depth);
}

TEST_CASE("chosen depths reach the least period, and none can be lowered") {
  CHECK(properties::check(10000, "depth chooser", [] {
    const small_plan p = *random_plan::with_sound_accesses();
    const double target = *rc::gen::elementOf(std::vector<double>{0, 0, 50, 400});
    small_plan deep = p;
    for (auto& b : deep.buffers) b.depth = 60000;
    if (penstock::find_deadlock(deep).found()) return;
    for (auto& b : deep.buffers) b.depth = 1 << 26;
    const double unbounded = period_ns(deep) < 1e-3 ? 0 : period_ns(deep);  // below, only laps of the rings are left
    const double reached = std::max(target, unbounded);
    const auto depths = choose_depths(p, target);
    RC_ASSERT(depths.empty() == (reached == 0));
    if (depths.empty()) return;
    const small_plan chosen = with_depths(p, depths);
    RC_ASSERT(!penstock::find_deadlock(chosen).found());
    RC_ASSERT(period_ns(chosen) <= reached);
    for (int b = 0; b < p.buffers.size(); ++b) {
      if (depths[b] == 1) continue;
      const small_plan lower = with_depth(chosen, b, depths[b] - 1);
      RC_ASSERT(penstock::find_deadlock(lower).found() || period_ns(lower) > reached);
    }
  }));
}
