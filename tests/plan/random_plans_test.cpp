// The derivation held to the definitions, on random plans.
#include "plan/random_plan.hpp"
#include "plan/unrolled.hpp"
#include "support/properties.hpp"

#include <penstock/plan/cycles.hpp>

#include <doctest/doctest.h>

#include <iostream>
#include <string>

namespace {

using penstock::derive_guards;
using penstock::find_deadlock;
using penstock::guard;
using penstock::small_plan;
using properties::share;

constexpr int most_candidates = 512;

// More than half of the random plans deadlock. Of those that do not there must be 10,000.
constexpr int runs_for_sound_plans = 28000;
constexpr int wanted_sound_plans = 10000;

std::string say(const small_plan& p, int n, const unrolled::must& m) {
  std::ostringstream out;
  out << "in a run of " << n << ", " << p.stages[m.first.stage].name << "(" << m.first.iteration
      << ") need not complete before " << p.stages[m.then.stage].name << "(" << m.then.iteration << ")";
  return out.str();
}

}  // namespace

TEST_CASE("however a failure is shrunk, that comes to an end") {
  CHECK(properties::check(1000, "shrinking", [] {
    const bool repaired = *rc::gen::arbitrary<bool>();
    small_plan p = repaired ? *random_plan::with_sound_accesses() : *random_plan::with_any_accesses();
    int steps = 0;
    // the longest way there: of what is tried next, what was made least simpler
    for (auto next = random_plan::shrunk(p, repaired); !next.empty(); next = random_plan::shrunk(p, repaired)) {
      p = *std::max_element(next.begin(), next.end(), [](const small_plan& a, const small_plan& b) {
        return random_plan::complexity(a) < random_plan::complexity(b);
      });
      RC_ASSERT(++steps < 1000);
    }
    RC_ASSERT(p.stages.size() == 1 && p.stages[0].mode == penstock::mode::sync);
  }));
}

TEST_CASE("a plan is refused iff no order of its events meets its obligations") {
  CHECK(properties::check(10000 / share, "refused iff impossible", [] {
    const small_plan p = *random_plan::with_sound_accesses();
    RC_ASSERT(find_deadlock(p).found() == !unrolled::possible(p));
  }));
}

TEST_CASE("the cycle that refuses a plan is one of its cycles") {
  CHECK(properties::check(10000 / share, "cycles are real", [] {
    const small_plan p = *random_plan::with_sound_accesses();
    const auto cycle = find_deadlock(p);
    const auto all = derive_guards<most_candidates>(p);
    int at = cycle.found() ? cycle.edges[0].from : -1, distance = 0;
    for (const penstock::cycle_edge& e : cycle.edges) {
      RC_ASSERT(e.from == at);
      at = e.to;
      distance += e.distance;
      if (e.guarded) {
        const bool known = std::count(all.needed.begin(), all.needed.end(), e.wait) +
                           std::count(all.implied.begin(), all.implied.end(), e.wait) > 0;
        RC_ASSERT(known && e.wait.on == e.from && e.wait.waiter == e.to && e.wait.distance == e.distance);
      } else {
        RC_ASSERT(e.distance == penstock::program_distance(p, e.from, e.to) && e.distance < penstock::never);
      }
    }
    RC_ASSERT(distance == cycle.distance && distance <= 0);
    if (cycle.found()) RC_ASSERT(at == cycle.edges[0].from);
  }));
}

TEST_CASE("guards are sound for every trip count, and none can be left out") {
  int plans = 0;
  CHECK(properties::check(runs_for_sound_plans / share, "sound and irredundant", [&plans] {
    const small_plan p = *random_plan::with_sound_accesses();
    RC_ASSERT(penstock::count_candidates(p) <= most_candidates);
    if (find_deadlock(p).found()) return;
    ++plans;
    const auto guards = derive_guards<most_candidates>(p).needed;
    std::vector<std::vector<unrolled::must>> musts;
    for (int n = 0; n <= unrolled::enough_iterations(p); ++n) {
      musts.push_back(unrolled::obligations(p, n));
      const unrolled::run r = unrolled::with(p, n, guards);
      const auto past = r.past();
      RC_ASSERT(past.has_value());
      for (const unrolled::must& m : musts.back()) if (!past->holds(r, m)) RC_FAIL(say(p, n, m));
    }
    for (int k = 0; k < guards.size(); ++k) {
      bool missed = false;
      for (int n = 0; n < int(musts.size()) && !missed; ++n) {
        const unrolled::run r = unrolled::with(p, n, guards, k);
        const auto past = r.past();
        for (const unrolled::must& m : musts[std::size_t(n)]) missed = missed || !past->holds(r, m);
      }
      if (!missed) RC_FAIL("redundant: " + plan_text::describe(p, guards[k]));
    }
  }));
  std::cerr << "  " << plans << " sound plans: none unsound, none redundant" << std::endl;
  CHECK((share > 1 || properties::reached(plans, wanted_sound_plans)));
}

TEST_CASE("a plan that fails is shrunk to one that a person checks by hand") {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::string smallest = properties::smallest_failure(seed, 1000, "no stage needs a WAR guard of another", [] {
      const small_plan p = *random_plan::with_sound_accesses();
      if (find_deadlock(p).found()) return;
      for (const guard& g : derive_guards<most_candidates>(p).needed)
        RC_ASSERT(g.kind != penstock::hazard::war || g.waiter == g.on);
    });
    CAPTURE(seed);
    CAPTURE(smallest);
    const auto count = [&](const std::string& what) {
      int n = 0;
      for (std::size_t at = smallest.find(what); at != std::string::npos; at = smallest.find(what, at + 1)) ++n;
      return n;
    };
    CHECK(count("stage ") == 2);
    CHECK(count(" writes ") == 1);
    CHECK(count(" reads ") == 1);
    CHECK(count("[") == 0);  // no window
  }
}

TEST_CASE("a stage is drained iff some run can end before its last copies do") {
  CHECK(properties::check(10000 / share, "drain", [] {
    const small_plan p = *random_plan::with_sound_accesses();
    if (find_deadlock(p).found()) return;
    const auto guards = derive_guards<most_candidates>(p);
    for (int s = 0; s < p.stages.size(); ++s) {
      bool runs_on = false;
      for (int n = 1; n <= unrolled::enough_iterations(p) && !runs_on; ++n) {
        const unrolled::run r = unrolled::with(p, n, guards.needed);
        const auto past = r.past();
        for (int i = 0; i < n; ++i) runs_on = runs_on || !past->ends(r, {s, i});
      }
      RC_ASSERT(penstock::needs_drain(p, guards, s) == runs_on);
    }
  }));
}
