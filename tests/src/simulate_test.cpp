// The simulated timeline: it keeps every obligation, wastes no time, and settles into the period that was
// predicted.
#include "simulate.hpp"

#include "plan/random_plan.hpp"
#include "simulate_report.hpp"
#include "src/plans.hpp"
#include "src/xml.hpp"
#include "support/properties.hpp"

#include <penstock/plan/json.hpp>

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace penstock::command;

namespace {

struct run {
  parsed_plan plan;
  analysis judged;
  simulation times;
};

run simulated(const std::string& text, int iterations) {
  run r{parse_plan(text, "plan"), {}, {}};
  if (takes_no_time(r.plan.value)) give_unit_times(r.plan.value);
  r.judged = analyse(r.plan, true);
  r.times = simulate(r.plan.value, r.judged.guards, iterations);
  return r;
}

// A random plan as the command reads it; one that is rejected has nothing to simulate.
run random_run(int iterations) {
  const auto declared = *random_plan::with_sound_accesses();
  run r{parse_plan(penstock::plan_json(declared), "random"), {}, {}};
  r.judged = analyse(r.plan, true);
  if (r.judged.ok()) r.times = simulate(r.plan.value, r.judged.guards, iterations);
  return r;
}

std::string printed(const run& r, bool assumed = false) {
  return simulation_text(r.plan.value, r.judged, r.times, assumed);
}

}  // namespace

TEST_CASE("three agents by hand") {
  // read 10 to issue, 100 to arrive; compute 40; write 5 to issue, 60 to finish; two slots each
  const run r = simulated(R"({"buffers":[{"name":"a","depth":2},{"name":"b","depth":2}],"stages":[
    {"name":"read","mode":"async","writes":["a"],"issue":10,"latency":100},
    {"name":"compute","mode":"sync","reads":["a"],"writes":["b"],"latency":40},
    {"name":"write","mode":"async","reads":["b"],"issue":5,"latency":60}]})",
                          3);
  const auto& t = r.times.stages;
  CHECK(t[0][0].start == 0);
  CHECK(t[0][0].freed == 10);
  CHECK(t[0][0].complete == 100);
  CHECK(t[0][1].start == 10);
  CHECK(t[1][0].start == 100);
  CHECK(t[1][0].complete == 140);
  CHECK(t[0][2].start == 140);  // slot 0 is free again
  CHECK(t[1][1].start == 140);
  CHECK(t[2][0].start == 140);
  CHECK(t[2][0].freed == 145);
  CHECK(t[2][0].complete == 200);
  CHECK(t[1][2].start == 240);  // its data came at 240; slot 0 of b was free at 200
  CHECK(t[2][2].complete == 340);
  CHECK(r.times.end_ns == 340);
  CHECK(t[0][2].held_by >= 0);
  CHECK(t[0][1].held_by < 0);
}

TEST_CASE("skews and order decide one agent's program, and instances outside the run take no time") {
  const run r = simulated(R"({"buffers":[{"name":"a","depth":3}],"stages":[
    {"name":"copy","mode":"async","agent":"w","skew":0,"order":1,"writes":["a"],"issue":1,"latency":50},
    {"name":"use","mode":"sync","agent":"w","skew":2,"order":0,"reads":["a"],"latency":10}]})",
                          3);
  const auto& t = r.times.stages;
  CHECK(t[0][0].start == 0);
  CHECK(t[0][1].start == 1);
  CHECK(t[1][0].start == 50);  // step 2, before copy of step 2
  CHECK(t[0][2].start == 60);
  CHECK(t[1][1].start == 61);
  CHECK(t[1][2].start == 110);
  CHECK(r.times.end_ns == 120);
}

TEST_CASE("the measured period of known plans is the predicted one") {
  const run axpy = simulated(plans::axpy, 200);
  REQUIRE(axpy.times.steady);
  CHECK(axpy.times.steady->period_ns == doctest::Approx(437.5).epsilon(1e-9));
  CHECK(axpy.times.steady->cycle == 4);
  const run stencil = simulated(plans::stencil, 50);
  REQUIRE(stencil.times.steady);
  CHECK(stencil.times.steady->period_ns == doctest::Approx(1.0).epsilon(1e-9));
}

TEST_CASE("a run too short to settle is said to be") {
  const run r = simulated(plans::axpy, 1);
  CHECK_FALSE(r.times.steady);
  CHECK(r.times.end_ns == 900 + 150 + 700);
  CHECK(printed(r).find("too few iterations for a steady state") != std::string::npos);
}

TEST_CASE("the report names the figures, the phases and the assumption") {
  const std::string text = printed(simulated(plans::stencil, 30), true);
  for (const char* part : {"30 iterations of 3 stages in 33 ns", "1 ns to issue and 1 ns to complete assumed for each",
                           "measured 1 ns, predicted 1 ns", "prologue ", "steady state", "drain ", "`write` works"})
    CHECK_MESSAGE(text.find(part) != text.npos, text);
}

TEST_CASE("the chart of a short run, column by column") {
  const run r = simulated(R"({"buffers":[{"name":"b","depth":2}],"stages":[
    {"name":"in","mode":"async","writes":["b"],"issue":2,"latency":4},{"name":"use","mode":"sync","reads":["b"],"latency":2}]})",
                          2);
  const auto times = [](const char* glyph, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += glyph;
    return out;
  };
  const std::string expected =
      "  agent  stage  |0 ns                    |2 ns                    |4 ns                    |6 ns\n"
      "  in     in     0" +
      times("█", 24) + times("░", 25) + "\n" + "                " + std::string(25, ' ') + "1" + times("█", 24) +
      times("░", 25) + "\n" + "  use    use    " + std::string(50, ' ') + "0" + times("█", 24) + "1" + times("█", 24) +
      "\n";
  const std::string chart = timeline_text(timeline_of(r.plan.value, r.judged.guards, r.times));
  CHECK_MESSAGE(chart.starts_with(expected), chart);
}

TEST_CASE("a long run shows its head and its tail, and its picture is well-formed") {
  const run r = simulated(plans::axpy, 100'000);
  const timeline t = timeline_of(r.plan.value, r.judged.guards, r.times);
  REQUIRE(t.shown.size() == 2);
  CHECK(t.bars.size() < 1000);
  CHECK(t.shown[1].end == r.times.end_ns);
  CHECK(xml::fault_in(timeline_svg(t)) == "");
  CHECK(timeline_svg(t).size() < 300'000);
  CHECK(printed(r).find("⋯") != std::string::npos);
}

TEST_CASE("rings far deeper than the drawing has lanes are cut, and say so") {
  const run r = simulated(R"({"buffers":[{"name":"a","depth":65536}],"stages":[
    {"name":"copy","mode":"async","writes":["a"],"latency":1000},{"name":"use","mode":"sync","reads":["a"],"latency":10}]})",
                          70'000);
  const timeline t = timeline_of(r.plan.value, r.judged.guards, r.times);
  CHECK(t.rows.size() <= 9);
  CHECK(printed(r).find("more in flight") != std::string::npos);
  CHECK(timeline_svg(t).size() < 1'000'000);
}

TEST_CASE("random plans") {
  int sound = 0, settled = 0, all = 0;
  CHECK(properties::check(2000, "every access that must be ordered is, at every trip count", [&] {
    const int n = random_plan::pick(1, 20);
    const run r = random_run(n);
    ++all;
    if (!r.judged.ok()) return;
    ++sound;
    penstock::detail::for_each_obligation(r.plan.value, [&](const penstock::obligation& o) {
      for (int delta = o.wait.distance; delta <= o.farthest; ++delta)
        // a slot is written over only once it has been written
        for (int i = std::max({0, delta, o.reuse}); i < std::min(n, n + delta); ++i) {
          const instance& before = r.times.stages[std::size_t(o.wait.on)][std::size_t(i - delta)];
          const instance& after = r.times.stages[std::size_t(o.wait.waiter)][std::size_t(i)];
          RC_ASSERT(before.complete <= after.start);
        }
    });
  }));
  CHECK(properties::reached(4 * sound, all));

  CHECK(properties::check(1000, "an instance starts when its agent is free or at the completion that held it", [] {
    const int n = random_plan::pick(1, 20);
    const run r = random_run(n);
    for (std::size_t stage = 0; stage < r.times.stages.size(); ++stage)
      for (int i = 0; i < n; ++i) {
        const instance& at = r.times.stages[stage][std::size_t(i)];
        if (at.held_by < 0) {
          RC_ASSERT(at.start == at.ready);
          continue;
        }
        const penstock::guard& g = r.judged.guards[std::size_t(at.held_by)];
        const int newest = std::min(i - g.distance, n - 1);
        RC_ASSERT(std::size_t(g.waiter) == stage);
        RC_ASSERT(at.start == r.times.stages[std::size_t(g.on)][std::size_t(newest)].complete);
        RC_ASSERT(at.start > at.ready);
      }
  }));

  sound = 0;
  CHECK(properties::check(1000, "the period that settles is the maximum cycle ratio", [&] {
    const run r = random_run(600);
    if (!r.judged.ok()) return;
    ++sound;
    if (!r.times.steady) return;
    ++settled;
    const double predicted = r.judged.bound->period_ns();
    RC_ASSERT(std::abs(r.times.steady->period_ns - predicted) <= 1e-6 * (1 + predicted));
    RC_ASSERT(r.times.steady->first >= 0);
    RC_ASSERT(r.times.steady->last < 600);
  }));
  CHECK(properties::reached(10 * settled, 9 * sound));

  CHECK(properties::check(300, "text and picture can always be made", [] {
    const run r = random_run(random_plan::pick(1, 60));
    if (!r.judged.ok()) return;
    RC_ASSERT(xml::fault_in(timeline_svg(timeline_of(r.plan.value, r.judged.guards, r.times))) == "");
    RC_ASSERT(!printed(r).empty());
  }));
}
