// Real bytes in random order: every word that comes out of a sound table is the one the sequential program gives, and
// mutants show by value what can be seen by value.
#include "check/shapes.hpp"

#include <penstock/check/execute.hpp>
#include <penstock/check/mutants.hpp>

#include <doctest/doctest.h>

#include <iostream>

using namespace penstock;

namespace {

void run(const shapes::named_table& t, const check::scenario& s, unsigned seed) {
  const check::program p = check::unroll(t.table, s);
  const check::execution e = check::execute(t.table, p, seed);
  INFO(t.name, ", ", s[0].n, " iterations, stop at ", s[0].stop_at, ", seed ", seed);
  CHECK(e.finished);
  CHECK(e.wrong_words == 0);
  const int live = s[0].stop_at >= 0 ? s[0].stop_at + 1 : s[0].n;
  CHECK(e.words >= live * check::detail::slot_words);
}

}  // namespace

TEST_CASE("what comes out is what the sequential program gives") {
  const auto move_bytes = [](const shapes::named_table& t) {
    for (int n : {1, 2, 3, 5, 9})
      for (unsigned seed = 1; seed <= 20; ++seed) run(t, {{n}}, seed * 100 + unsigned(n));
    for (unsigned seed = 1; seed <= 10; ++seed) run(t, {{3}, {4}, {1}}, seed);
  };
  shapes::for_each_sound_table(move_bytes);
  shapes::for_each_sourced_table(move_bytes);
}

TEST_CASE("also when the run stops") {
  shapes::for_each_stopping_table([](const shapes::named_table& t) {
    for (int at = 0; at < 4; ++at)
      for (int s = 0; s < int(t.table.stages.size()); ++s)
        for (unsigned seed = 1; t.table.stages[s].stops && seed <= 5; ++seed) run(t, {{4, s, at, -1}}, seed);
  });
}

TEST_CASE("mutants that move wrong bytes are among those that the clocks kill") {
  int mutants = 0, killed = 0, seen = 0;
  shapes::for_each_sound_table([&](const shapes::named_table& t) {
    for (const check::mutant& m : check::mutants_of(t.table)) {
      const check::program p = check::unroll(m.broken, {{6}});
      if (!p.inconsistency.empty()) continue;
      bool shows = false;
      for (unsigned seed = 1; seed <= 10 && !shows; ++seed) {
        const check::execution e = check::execute(m.broken, p, seed);
        shows = !e.finished || e.wrong_words > 0;
      }
      const bool unsound = !check::decide(m.broken, p).sound();
      ++mutants;
      killed += unsound;
      seen += shows;
      INFO(t.name, ": ", m.what);
      CHECK((unsound || !shows));
    }
  });
  std::cout << "of " << mutants << " mutants the clocks kill " << killed << "; " << seen << " show in the bytes"
            << std::endl;
  CHECK(seen > 0);
}
