// Every table of the shapes is sound, and the reports of planted faults read as they should.
#include "check/shapes.hpp"

#include <doctest/doctest.h>

// What tests/compile_fail shows to be refused, with its smallest fix.
#define PENSTOCK_TEST_FIXED
namespace explore_not_bound {
#include "../compile_fail/explore_not_bound.cpp"
}

using namespace penstock;
using check::fault;

namespace {

void prove(const shapes::named_table& t, int most = -1) {
  const check::findings found = check::explore(t.table, most);
  INFO(t.name);
  INFO(found.report());
  CHECK(found.sound());
  CHECK(found.scenarios > 0);
}

// The steps of a kind that belong to a stage.
void drop(check::table& t, op what, const std::string& stage) {
  for (check::checked_agent& a : t.agents)
    std::erase_if(a.loop,
                  [&](const step& e) { return e.what == what && e.stage >= 0 && t.stages[e.stage].name == stage; });
}

check::table specialised_stencil() {
  return check::table_of(lowered<shapes::stencil<4, 2>, specialised<8>, backend::hopper>::table);
}

}  // namespace

TEST_CASE("pipelines that run to their end are sound, also when they run again") {
  shapes::for_each_sound_table([](auto t) { prove(t); });
}

TEST_CASE("pipelines that stop are sound for every stop") { shapes::for_each_stopping_table([](auto t) { prove(t); }); }

TEST_CASE("pipelines that take their work from a source are sound") {
  shapes::for_each_sourced_table([](auto t) { prove(t, 7); });
}

TEST_CASE("a pipeline type is explored by name") {
  CHECK(check::explore<shapes::three<2, 2>>().sound());
  CHECK(check::explore<shapes::three<2, 2>, uniform<4>, backend::ampere, 2>(4).sound());
}

TEST_CASE("a vote before the body that may ask to stop is found") {
  check::table t = check::table_of(lowered<shapes::three<2, 2>, specialised<2>, backend::hopper, 2>::table);
  CHECK(check::explore(t, 2).sound());
  for (check::checked_agent& a : t.agents)
    for (std::size_t k = 1; k < a.loop.size(); ++k)
      if (a.loop[k].what == op::agree) std::swap(a.loop[k - 1], a.loop[k]);
  CHECK(check::explore(t, 2).worst.kind == fault::inconsistent);
}

// The last group of a run from a source is empty, as it carries the end; not where nothing runs after the stop.
TEST_CASE("a copy under way after a stop is found, though a run after that would wait for it") {
  using line = pipeline<buffer<"o", shapes::tile, depth<1>>, stage<"make", penstock::sync, writes<"o">, may_stop>,
                        stage<"look", penstock::sync, reads<"o">, may_stop>, stage<"write", async, reads<"o">>>;
  check::table t = check::table_of(lowered<with_source<line>, uniform<2>, backend::hopper>::table);
  CHECK(check::explore(t, 2).sound());
  ++t.agents[0].drain.back().count;
  CHECK(check::explore(t, 2).worst.kind == fault::in_flight);
}

// Between the body and the copy of what it wrote, the vote would be a meeting, but it comes before the fence.
TEST_CASE("a vote on the stop hands over to other threads, not to the bulk engine") {
  using line = pipeline<buffer<"x", shapes::tile, depth<1>>, stage<"make", penstock::sync, writes<"x">>,
                        stage<"look", penstock::sync, reads<"x">>, stage<"write", async, reads<"x">>>;
  const check::findings found = check::explore<line, uniform<2>, backend::hopper, 1>();
  INFO(found.report());
  CHECK(found.sound());
}

TEST_CASE("what one stage of an agent states of its warps holds for the others") {
  using shapes::tile;
  using once = pipeline<buffer<"a", tile, depth<2>>, buffer<"m", tile, depth<2>>, buffer<"o", tile, depth<2>>,
                        stage<"read", async, writes<"a">>,
                        stage<"f", penstock::sync, reads<"a">, writes<"m">, agent<"compute", 2>>,
                        stage<"g", penstock::sync, reads<"m">, writes<"o">>,  // of no agent: where the others compute
                        stage<"write", async, reads<"o">>>;
  const auto& table = lowered<once, specialised<4>, backend::hopper>::table;
  CHECK(table.agents[1].name == "compute");
  CHECK(table.agents[1].warps == 2);
  CHECK(table.warps == 4);
  const check::findings found = check::explore<once, specialised<4>, backend::hopper>();
  INFO(found.report());
  CHECK(found.sound());
}

TEST_CASE("an agent of bodies is one whatever its name: that of copies, or of a stage") {
  using shapes::tile;
  using named = pipeline<buffer<"x", tile, depth<1>>,
                         stage<"make", penstock::sync, writes<"x">, agent<"copy out", 2>>,
                         stage<"write", async, reads<"x">>, stage<"change", penstock::sync, updates<"x">>>;
  const check::findings found = check::explore<named, specialised<2>, backend::hopper>();
  INFO(found.report());
  CHECK(found.sound());
  using shared = pipeline<buffer<"x", tile, depth<2>>, stage<"f", penstock::sync, writes<"x">>,
                          stage<"g", penstock::sync, updates<"x">, agent<"f">>,
                          stage<"h", penstock::sync, reads<"x">>>;
  const auto& mapped = lowered<shared, specialised<2>, backend::hopper>::table.mapped;
  CHECK(mapped.stages[1].agent == mapped.stages[0].agent);
  CHECK(mapped.stages[2].agent != mapped.stages[0].agent);
}

// A look-ahead takes its first waits one by one, and so the drain what a reader that stays behind has not waited for.
TEST_CASE("windows as far as they may reach, and copies that nobody reads, have room in their tables") {
  using shapes::tile;
  const auto line_of = []<class Window>(Window) {
    return pipeline<buffer<"x", tile, depth<66>>, stage<"read", async, writes<"x">>,
                    stage<"use", penstock::sync, reads<"x", Window>>>{};
  };
  using ahead = decltype(line_of(window<0, 64>{}));
  using behind = decltype(line_of(window<-64, -64>{}));
  using unread = pipeline<buffer<"x", tile, depth<66>>, stage<"make", penstock::sync, writes<"x">>,
                          stage<"use", penstock::sync, reads<"x">>, stage<"read", async, writes<"x">>>;
  CHECK(check::explore<ahead>(2).sound());
  CHECK(check::explore<behind>(2).sound());
  CHECK(check::explore<unread>(2).sound());
}

TEST_CASE("whoever decides on the stop stays in sight of everyone else, though they share no data") {
  using line = pipeline<stage<"decide", penstock::sync, may_stop>, stage<"f", penstock::sync, agent<"F">>,
                        stage<"g", penstock::sync, agent<"G">>, stage<"h", penstock::sync, agent<"H">>>;
  CHECK(lowered<line, specialised<2>, backend::hopper>::table.signal_count < 100);
  const check::findings found = check::explore<line, specialised<2>, backend::hopper>(4);
  INFO(found.report());
  CHECK(found.sound());
}

TEST_CASE("the functions that a pipeline runs tell which stages may stop") {
  const float* in = nullptr;
  float* out = nullptr;
  const auto read = on<"read">([&](long long i) { return from(in + i * 8); });
  const auto write = on<"write">([&](long long i) { return to(out + i * 8); });
  const auto runs_through = on<"compute">([](auto, const auto&, auto&, long long) {});
  const auto may_stop = on<"compute">([](auto, const auto&, auto&, long long) { return penstock::stop; });
  const check::findings to_the_end = check::explore<shapes::three<2, 2>>(4, read, runs_through, write);
  const check::findings stopping = check::explore<shapes::three<2, 2>>(4, read, may_stop, write);
  CHECK(to_the_end.sound());
  CHECK(stopping.sound());
  CHECK(stopping.scenarios > 2 * to_the_end.scenarios);
}

TEST_CASE("all functions of a pipeline are explored together") { CHECK(explore_not_bound::found.sound()); }

TEST_CASE("a fence of another agent's threads does not count") {
  const auto soundly = check::table_of(lowered<shapes::two_agents, specialised<8>, backend::hopper>::table);
  check::table t = soundly;
  drop(t, op::fence, "f");  // g's threads, which have learned of f, still fence
  CHECK(check::explore(soundly).sound());
  CHECK(check::explore(t).worst.kind == fault::proxy);
  CHECK(check::explore(t).worst.message ==
        "'read' iteration 3 writes a[0] by the bulk engine, and no fence separates that from 'f' iteration 0, which "
        "reads it");
}

TEST_CASE("a race is reported with its schedule") {
  check::table t = specialised_stencil();
  std::erase_if(t.agents[1].loop,
                [&](const step& e) { return e.what == op::wait_signal && t.stages[e.on].name == "write"; });
  const check::findings found = check::explore(t);
  CHECK(found.worst.kind == fault::race);
  CHECK(found.report() ==
        "race: 'compute' iteration 2 writes out[0], and nothing orders that after 'write' iteration 0, which reads it\n"
        "  in a run of 3 iterations:\n"
        "    copy out lane 0  step   0  starts the copy of 'write' iteration 0 out of out[0]\n"
        "    ...\n"
        "    copy out lane 0  step   0  closes a group of 'write'\n"
        "    copy out lane 0  step   0  waits until at most 1 bulk groups still read\n"
        "    compute warp 0   step   1  fences its accesses against the bulk engine's\n"
        "    compute warp 0   step   1  signals 'compute' iteration 1 (slot 1, phase 0)\n"
        "    copy out lane 0  step   1  waits for 'compute' iteration 1 (slot 1, phase 0)\n"
        "    compute warp 0   step   2  'compute' iteration 2 reads in[1]\n"
        "    copy out lane 0  step   1  meets its warp\n"
        "    compute warp 0   step   2  'compute' iteration 2 reads in[2]\n"
        "    copy out lane 0  step   1  starts the copy of 'write' iteration 1 out of out[1]\n"
        "    compute warp 0   step   2  'compute' iteration 2 writes out[0]\n");
}

TEST_CASE("what a fence is for shows without it") {
  check::table t = specialised_stencil();
  drop(t, op::fence, "compute");
  CHECK(check::explore(t).worst.kind == fault::proxy);
  CHECK(check::explore(t).worst.message ==
        "'write' iteration 0 reads out[0] by the bulk engine, and no fence separates "
        "that from 'compute' iteration 0, which writes it");
}

TEST_CASE("a deadlock names who waits for whom") {
  check::table t = specialised_stencil();
  drop(t, op::signal, "compute");
  const check::findings found = check::explore(t);
  CHECK(found.worst.kind == fault::deadlock);
  CHECK(found.report() ==
        "deadlock: no thread can go on: copy out lane 0 waits for 'compute' iteration 0 (slot 0, phase 0); compute "
        "warp 0 "
        "has left\n"
        "  in a run of 1 iterations:\n"
        "    copy out lane 0  step   0  waits for 'compute' iteration 0 (slot 0, phase 0)\n"
        "    copy out lane 1  step   0  waits for 'compute' iteration 0 (slot 0, phase 0)\n");
}

TEST_CASE("a copy that nobody waits for is in flight at the end") {
  check::table t = check::table_of(lowered<shapes::copy<2>, specialised<>, backend::hopper>::table);
  t.agents[0].drain.clear();
  const check::findings found = check::explore(t);
  CHECK(found.worst.kind == fault::in_flight);
  CHECK(found.worst.message == "the copy of 'write' iteration 0 may still be in flight when the storage is given back");
}

TEST_CASE("a ring too short lets a wait meet the wrong phase") {
  check::table t = specialised_stencil();
  t.stages[0].ring.slots = 1;
  CHECK(check::explore(t).worst.kind == fault::phase);
}

TEST_CASE("a signal that expects the wrong bytes is found") {
  check::table t = specialised_stencil();
  t.stages[0].expected -= 16;
  CHECK(check::explore(t).worst.kind == fault::bytes);
  t.stages[0].expected += 32;
  CHECK(check::explore(t).worst.kind == fault::deadlock);
}

TEST_CASE("a stop that an agent need not have heard of is found") {
  check::table t = check::table_of(lowered<shapes::two_agents, specialised<8>, backend::hopper, 2>::table);
  drop(t, op::wait_signal, "g");
  CHECK(!check::explore(t).sound());
}
