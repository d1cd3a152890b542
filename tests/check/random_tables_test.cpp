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
constexpr int most = 4 * most_guards + 8 * 5 + 8;  // most_steps()

struct tally {
  long long plans = 0;
  long long tables = 0;
  long long scenarios = 0;
};
tally done;

template <class Mapping>
void prove(const small_plan& p, backend target) {
  const small_plan mapped = map_plan<Mapping>(p, target);
  if (count_candidates(mapped) >= most_guards || find_deadlock(mapped).found()) return;
  const auto lowered = std::make_unique<lowering<5, 4, most_guards, most>>(lower<most_guards, most, Mapping>(p, target));
  const check::table t = check::table_of(*lowered);
  const check::findings found = check::explore(t, std::min(check::enough_iterations(t), t.stops() ? 4 : 9));
  ++done.tables;
  done.scenarios += found.scenarios;
  if (!found.sound())
    RC_FAIL(std::string(backend_name(target)) + ", agents of " + std::to_string(t.agents[0].warps) + " warps: " + found.report());
}

void prove_everywhere(const small_plan& p) {
  if (!find_problems<1>(p).empty()) return;
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

// What the run layer accepts: copies move something, and a stage that may stop is a body. A window that looks ahead into
// what a body computes has no value where that body's next iteration is never run.
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

bool check_tables(int runs, const char* what, bool may_stop) {
  done = {};
  const bool sound = properties::check(runs, what, [may_stop] {
    small_plan p = acceptable(*random_plan::with_sound_accesses(), may_stop);
    if (may_stop) {  // few random plans do by themselves
      for (auto& s : p.stages) if (s.mode == mode::sync && !looks_past_a_stop(p)) s.stops = true;
      p = acceptable(p, true);
    }
    prove_everywhere(p);
  });
  std::cerr << "  " << done.plans << " sound plans, " << done.tables << " tables, " << done.scenarios << " scenarios" << std::endl;
  return sound && done.plans > runs / 10;
}

}  // namespace

TEST_CASE("tables of random plans are sound") { CHECK(check_tables(10000, "runs to the end and again", false)); }

TEST_CASE("tables of random plans that stop are sound") { CHECK(check_tables(500, "every stop", true)); }
