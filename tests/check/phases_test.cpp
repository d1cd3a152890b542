// The three assertions on phases, each by the smallest program that breaks it alone: the exhaustive search, which has
// parity bits as the hardware does, finds what they warn of.
#include "check/shapes.hpp"

#include <penstock/check/search.hpp>

#include <doctest/doctest.h>

using namespace penstock;
using check::act;
using check::event;
using check::fault;

namespace {

// Stages of the table are threads here, each with one instance; one signal of one arrival, one slot.
const check::table stages = check::table_of(lowered<shapes::three<1, 1>, specialised<1>, backend::hopper>::table);

event of(act what, int stage, int where, int value, int weight = 0) {
  event e;
  e.what = what;
  e.stage = e.on = short(stage);
  e.instance = 0;
  e.where = where;
  e.value = value;
  e.weight = weight;
  return e;
}
event arrive(int stage, int phase) { return of(act::arrive, stage, 0, phase, 1); }
event wait(int stage, int phase) { return of(act::wait, stage, 0, phase); }
event store(int stage) { return of(act::store, stage, 0, check::version_of(stage, 0)); }
event load(int stage, int from) { return of(act::load, stage, 0, check::version_of(from, 0)); }

check::program program_of(std::vector<std::vector<event>> threads, int phases) {
  check::program p;
  std::vector<int> block;
  for (std::vector<event>& events : threads) {
    events.push_back(of(act::meet, 0, 2 * int(stages.agents.size()), 0));
    block.push_back(int(p.threads.size()));
    p.threads.push_back({int(block.size()) - 1, "thread " + std::to_string(block.size()), true, true, 1, events});
  }
  p.groups.resize(2 * stages.agents.size());
  p.groups.push_back(block);
  p.signals.push_back({0, 0, 1, phases});
  p.slots.push_back({0, 0});
  return p;
}

struct judged {
  check::verdict clocks;
  check::search_result search;
};
judged judge(const check::program& p) { return {check::decide(stages, p), check::search(stages, p, 10'000)}; }

}  // namespace

TEST_CASE("a wait for the one phase there is needs nothing else") {
  const judged j = judge(program_of({{store(0), arrive(0, 0)}, {wait(1, 0), load(1, 0)}}, 1));
  CHECK(j.clocks.sound());
  CHECK(j.search.sound());
}

TEST_CASE("a wait for a phase whose predecessor it has not seen may fall through") {
  const judged j = judge(program_of({{arrive(0, 0), store(0), arrive(0, 1)}, {wait(1, 1), load(1, 0)}}, 2));
  CHECK(j.clocks.kind == fault::phase);
  CHECK(j.clocks.message == "thread 2's wait for 'compute' iteration 0 may start before the phase before is complete, "
                            "and then returns too early");
  CHECK(j.search.kind == fault::wrong_value);
}

TEST_CASE("a wait that is lapped never returns") {
  const judged j = judge(program_of({{arrive(0, 0), arrive(0, 1)}, {wait(1, 0)}}, 2));
  CHECK(j.clocks.kind == fault::phase);
  CHECK(j.clocks.message == "thread 1's signal of 'read' iteration 0 may complete this phase while a thread still waits "
                            "for the one before; that wait then never returns");
  CHECK(j.search.kind == fault::deadlock);
}

TEST_CASE("an arrival that is not after the phase before may count for that one") {
  // the schedule that the clocks look at happens to be right: the second thread has something to do first
  const event busy = of(act::begin, 1, 0, 0);
  const judged j = judge(program_of({{store(0), arrive(0, 0)}, {busy, arrive(1, 1)}, {wait(2, 0), load(2, 0)}}, 2));
  CHECK(j.clocks.kind == fault::phase);
  CHECK(j.clocks.message == "thread 2's signal of 'compute' iteration 0 can count for another phase than its own");
  CHECK(j.search.kind == fault::wrong_value);
}
