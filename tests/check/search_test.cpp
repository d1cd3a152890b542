// The exhaustive search agrees with the clocks: sound tables are sound in every interleaving it finishes, and it finds
// no fault in a mutant that they miss.
#include "check/shapes.hpp"

#include <penstock/check/mutants.hpp>
#include <penstock/check/search.hpp>

#include <doctest/doctest.h>

#include <iostream>

using namespace penstock;

namespace {

struct tally {
  int scenarios = 0;
  int unfinished = 0;
  long long states = 0;
  int mutants = 0;
  int killed = 0;            // by the clocks
  int killed_by_search = 0;
};
tally total;

void search_scenario(const shapes::named_table& t, const check::scenario& s, long long limit) {
  const check::program p = check::unroll(t.table, s);
  const check::verdict clocks = check::decide(t.table, p);
  const check::search_result all = check::search(t.table, p, limit);
  ++total.scenarios;
  total.unfinished += !all.finished;
  total.states += all.states;
  INFO(t.name, ", ", s[0].n, " iterations, stop at ", s[0].stop_at, ": ", all.message, clocks.message);
  CHECK(clocks.sound());
  CHECK(all.sound());
}

void search_table(const shapes::named_table& t, int most, long long limit) {
  for (int n = 1; n <= most; ++n) search_scenario(t, {{n}}, limit);
  search_scenario(t, {{1}, {2}}, limit);
}
void search_stops(const shapes::named_table& t, int most, long long limit) {
  for (int n = 1; n <= most; ++n)
    for (int s = 0; s < int(t.table.stages.size()); ++s)
      for (int at = 0; t.table.stages[s].stops && at < n; ++at)
        for (int look = -1; look < (t.table.agents.size() > 1 ? n : 0); ++look)
          search_scenario(t, {{n, s, at, look}}, limit);
}

void search_mutants(const shapes::named_table& t, int n, long long limit) {
  for (const check::mutant& m : check::mutants_of(t.table)) {
    const check::program p = check::unroll(m.broken, {{n}});
    const bool killed = !check::decide(m.broken, p).sound();
    const check::search_result all = check::search(m.broken, p, limit);
    ++total.mutants;
    total.killed += killed;
    total.killed_by_search += !all.sound();
    INFO(t.name, ", ", m.what, ": ", all.message);
    CHECK((killed || all.sound()));
  }
}

template <class F>
void for_each_small_table(F&& f) {
  shapes::for_each_table<shapes::copy<1>>("copy<1>", f);
  shapes::for_each_table<shapes::copy<2>>("copy<2>", f);
  shapes::for_each_table<shapes::three<1, 1>>("three<1, 1>", f);
  shapes::for_each_table<shapes::three<2, 2>>("three<2, 2>", f);
  shapes::for_each_table<shapes::in_place>("in place", f);
}
template <class F>
void for_each_larger_table(F&& f) {
  shapes::for_each_table<shapes::copy<4>>("copy<4>", f);
  shapes::for_each_table<shapes::three<3, 3>>("three<3, 3>", f);
  shapes::for_each_table<shapes::three<4, 4>>("three<4, 4>", f);
  shapes::for_each_table<shapes::stencil<4, 2>>("stencil<4, 2>", f);
  shapes::for_each_table<shapes::axpy<2>>("axpy<2>", f);
  shapes::for_each_table<shapes::chain>("chain", f);
  shapes::for_each_table<shapes::two_agents>("two agents", f);
}

void report(const char* what) {
  std::cout << what << ": " << total.scenarios << " scenarios, " << total.unfinished << " of them unfinished, "
            << total.states << " states; of " << total.mutants << " mutants the clocks kill " << total.killed
            << ", the search " << total.killed_by_search << std::endl;
  total = {};
}

}  // namespace

TEST_CASE("every interleaving of shallow pipelines") {
  for_each_small_table([](auto t) { search_table(t, 5, 300'000); });
  CHECK(total.unfinished == 0);
  report("to the end");
}

TEST_CASE("every interleaving of shallow pipelines that stop") {
  shapes::for_each_table<shapes::three<1, 1>, 2>("three<1, 1>", [](auto t) { search_stops(t, 3, 300'000); });
  shapes::for_each_table<shapes::three<2, 2>, 2>("three<2, 2>", [](auto t) { search_stops(t, 2, 300'000); });
  CHECK(total.unfinished == 0);
  report("stopping");
}

TEST_CASE("what the search kills, the clocks kill") {
  for_each_small_table([](auto t) { search_mutants(t, 4, 100'000); });
  CHECK(total.killed > 0);
  CHECK(total.killed_by_search > 0);
  report("mutants");
}

TEST_CASE("every interleaving of deeper pipelines" * doctest::skip()) {
  for_each_small_table([](auto t) { search_table(t, 8, 1'200'000); });
  for_each_larger_table([](auto t) { search_table(t, t.table.deepest() + 2, 1'200'000); });
  report("deeper, to the end");
  for_each_larger_table([](auto t) { search_mutants(t, t.table.deepest() + 1, 200'000); });
  report("deeper, mutants");
}
