// Random sound plans under every mapping and backend: whatever table comes out is sound.
#include "plan/random_plan.hpp"
#include "support/properties.hpp"

#include <penstock/check/explore.hpp>
#include <penstock/plan/problems.hpp>

#include <doctest/doctest.h>

#include <iostream>
#include <memory>

using namespace penstock;

namespace {

constexpr int most_guards = 120;
constexpr int most = 4 * most_guards + 8 * 6 + 8;  // most_steps()

using properties::share;

struct tally {
  long long plans = 0;
  long long tables = 0;
  long long scenarios = 0;
};
tally done;

template <class Mapping, int S, int B>
void prove(const plan<S, B>& p, backend target) {
  const plan<S, B> mapped = map_plan<Mapping>(p, target);
  if (count_candidates(mapped) >= most_guards || find_deadlock(mapped).found()) return;
  const auto lowered =
      std::make_unique<lowering<S, B, most_guards, most>>(lower<most_guards, most, Mapping>(p, target));
  const check::table t = check::table_of(*lowered);
  const check::findings found = check::explore(t, std::min(check::enough_iterations(t), t.stops()         ? 4
                                                                                        : t.source() >= 0 ? 7
                                                                                                          : 9));
  ++done.tables;
  done.scenarios += found.scenarios;
  if (!found.sound())
    RC_FAIL(std::string(backend_name(target)) + ", agents of " + std::to_string(t.agents[0].warps) +
            " warps: " + found.report());
}

template <int S, int B>
void prove_everywhere(const plan<S, B>& p) {
  ++done.plans;
  prove<specialised<3>>(p, backend::hopper);
  prove<specialised<1>>(p, backend::hopper);
  prove<uniform<3>>(p, backend::hopper);
  prove<uniform<1>>(p, backend::hopper);
  prove<uniform<3>>(p, backend::ampere);
  prove<uniform<3>>(p, backend::portable);
  prove<specialised<3>>(p, backend::host);
  prove<sequential>(p, backend::host);
}

// What the run layer accepts: copies move something, and a stage that may stop is a body. A window that looks ahead
// into what a body computes has no value where that body's next iteration is never run.
bool looks_past_a_stop(const small_plan& p) {
  for (const auto& r : p.stages)
    for (const read_access& read : r.reads)
      for (const auto& w : p.stages)
        if (read.window.last > 0 && w.writes_to(read.buffer) && !detail::copies_in(w)) return true;
  return false;
}
small_plan acceptable(small_plan p, bool may_stop) {
  bool stops = false;
  for (auto& s : p.stages) {
    if (s.reads.empty() && s.writes.empty()) s.mode = mode::sync;
    s.stops = may_stop && s.stops && s.mode == mode::sync;
    stops = stops || s.stops;
  }
  for (auto& s : p.stages) s.prefetches = stops && detail::copies_in(s);
  if (stops && looks_past_a_stop(p))
    for (auto& s : p.stages) s.stops = s.prefetches = false;
  return p;
}

// What penstock::with_source makes of a pipeline.
plan<6, 5> with_source(const small_plan& p) {
  plan<6, 5> q;
  int slots = 1;
  for (const buffer_info& b : p.buffers) {
    slots += b.depth + 1;
    q.buffers.add(b);
  }
  q.buffers.add({"next item", slots});
  for (const std::string_view a : p.agents) q.agents.add(a);
  q.agents.add("source");
  stage_info<5> source;
  source.name = "source";
  source.agent = q.agents.size() - 1;
  source.order = -1;
  source.source = source.prefetches = true;
  source.writes.add(q.buffers.size() - 1);
  q.stages.add(source);
  for (const auto& from : p.stages) {
    stage_info<5> s;
    s.name = from.name;
    s.mode = from.mode;
    s.agent = from.agent;
    s.skew = from.skew;
    s.order = from.order;
    s.stops = from.stops;
    s.prefetches = detail::copies_in(from);
    reach window{};
    for (const read_access& r : from.reads) {
      s.reads.add(r);
      window.last = std::max(window.last, r.window.last);
    }
    for (const int w : from.writes) s.writes.add(w);
    s.reads.add({q.buffers.size() - 1, window, true});
    q.stages.add(s);
  }
  return q;
}

// Of random plans, more than a third are sound: of a hundred, a tenth for certain.
bool check_tables(int runs, const char* what, bool may_stop, bool sourced = false) {
  done = {};
  const bool sound = properties::check(runs / share, what, [may_stop, sourced] {
    small_plan p = acceptable(*random_plan::with_sound_accesses(), may_stop);
    if (may_stop) {  // few random plans do by themselves
      for (auto& s : p.stages) if (s.mode == mode::sync && !looks_past_a_stop(p)) s.stops = true;
      p = acceptable(p, true);
    }
    if (!find_problems<1>(p).empty()) return;
    if (sourced) prove_everywhere(with_source(p));
    else prove_everywhere(p);
  });
  std::cerr << "  " << done.plans << " sound plans, " << done.tables << " tables, " << done.scenarios << " scenarios"
            << std::endl;
  const int draws = runs / share;
  return sound && (draws < 100 || properties::reached(done.plans, draws / 10));
}

}  // namespace

TEST_CASE("tables of random plans are sound") {
  CHECK(check_tables(28000, "runs to the end and again", false));
  CHECK((share > 1 || properties::reached(done.plans, 10000)));
}

TEST_CASE("tables of random plans that stop are sound") { CHECK(check_tables(2000, "every stop", true)); }

TEST_CASE("tables of random plans that take their work from a source are sound") {
  CHECK(check_tables(1200, "from a source", false, true));
  CHECK(check_tables(300, "from a source, every stop", true, true));
}

// Found by the case above: the first look-ahead wait of a stage that lags comes before its first instance.
TEST_CASE("who looks several items ahead and lags learns of each item in turn") {
  small_plan p;
  for (const buffer_info b : {buffer_info{"W", 1}, {"X", 3}, {"Y", 2}, {"Z", 1}}) p.buffers.add(b);
  for (const std::string_view a : {"a", "b", "e"}) p.agents.add(a);
  const auto add = [&](std::string_view name, mode m, int agent) -> auto& {
    p.stages.add({});
    auto& s = p.stages[p.stages.size() - 1];
    s.name = name;
    s.mode = m;
    s.agent = agent;
    s.order = p.stages.size() - 1;
    return s;
  };
  auto& a = add("a", mode::async, 0);
  for (const int w : {1, 2}) a.writes.add(w);
  auto& b = add("b", mode::sync, 1);
  for (const int w : {0, 3}) b.writes.add(w);
  auto& c = add("c", mode::sync, 1);
  for (const int r : {0, 2, 3}) c.reads.add({r, {}});
  auto& e = add("e", mode::sync, 2);
  for (const read_access r : {read_access{0, {1, 1}}, {1, {1, 1}}, {2, {2, 3}}}) e.reads.add(r);
  using mapping = specialised<1>;
  const plan<6, 5> q = with_source(p);
  const auto lowered = std::make_unique<lowering<6, 5, most_guards, most>>(
      lower<most_guards, most, mapping>(q, backend::hopper));
  const check::findings found = check::explore(check::table_of(*lowered), 7);
  INFO(found.report());
  CHECK(found.sound());
}
