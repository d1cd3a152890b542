// What a declaration in types says, and that compilers work it out themselves.
#include "plan/eight_by_eight.hpp"

#include <doctest/doctest.h>

#include <type_traits>

using namespace penstock;

namespace {

struct cell {
  double value;
  int flags[2];
};

using line = pipeline<
    buffer<"in", float[34][36], depth<4>>, buffer<"cells", cell, depth<3>>,
    stage<"read", async, writes<"in">, agent<"dma">>,
    stage<"compute", sync, reads<"in", window<-1, 2>>, writes<"cells">, agent<"warps", 4>, skew<2>, timing<15, 20>>,
    stage<"fix", sync, updates<"cells">, agent<"warps">, order<-3>>,
    stage<"write", async, reads<"cells">>>;

}  // namespace

TEST_CASE("buffers carry name, depth, bytes and alignment") {
  REQUIRE(line::plan.buffers.size() == 2);
  const buffer_info& in = line::plan.buffers[0];
  CHECK(in.name == "in");
  CHECK(in.depth == 4);
  CHECK(in.bytes == 34 * 36 * 4);
  CHECK(in.alignment == 4);
  const buffer_info& cells = line::plan.buffers[1];
  CHECK(cells.name == "cells");
  CHECK(cells.depth == 3);
  CHECK(cells.bytes == 16);
  CHECK(cells.alignment == 8);
}

TEST_CASE("stages carry mode, accesses and times in declared order") {
  REQUIRE(line::plan.stages.size() == 4);
  const auto& read = line::plan.stages[0];
  CHECK(read.name == "read");
  CHECK(read.mode == mode::async);
  CHECK(read.reads.empty());
  REQUIRE(read.writes.size() == 1);
  CHECK(read.writes[0] == 0);
  const auto& compute = line::plan.stages[1];
  CHECK(compute.mode == mode::sync);
  REQUIRE(compute.reads.size() == 1);
  CHECK(compute.reads[0].buffer == 0);
  CHECK(compute.reads[0].window.first == -1);
  CHECK(compute.reads[0].window.last == 2);
  CHECK(compute.writes_to(1));
  CHECK(compute.issue_ns == 15);
  CHECK(compute.latency_ns == 20);
  const auto& fix = line::plan.stages[2];
  CHECK(fix.reads_from(1));
  CHECK(fix.writes_to(1));
  CHECK(fix.reads[0].window.first == 0);
  CHECK(fix.reads[0].window.last == 0);
}

TEST_CASE("a stage is its own agent unless it names one") {
  REQUIRE(line::plan.agents.size() == 3);
  CHECK(line::plan.agents[line::plan.stages[0].agent] == "dma");
  CHECK(line::plan.agents[line::plan.stages[1].agent] == "warps");
  CHECK(line::plan.stages[1].agent == line::plan.stages[2].agent);
  CHECK(line::plan.agents[line::plan.stages[3].agent] == "write");
  CHECK(line::plan.stages[1].warps == 4);
}

TEST_CASE("skew is 0 and order that of declaration, unless given") {
  CHECK(line::plan.stages[0].skew == 0);
  CHECK(line::plan.stages[1].skew == 2);
  CHECK(line::plan.stages[1].order == 1);
  CHECK(line::plan.stages[2].order == -3);
  CHECK(line::plan.stages[3].order == 3);
}

TEST_CASE("buffers and stages may be declared in any order") {
  using mixed = pipeline<buffer<"x", int, depth<2>>, stage<"get", async, writes<"x">, writes<"y">>,
                         buffer<"y", int, depth<2>>, stage<"use", sync, reads<"x">, reads<"y">>>;
  CHECK(mixed::plan.buffers.size() == 2);
  CHECK(mixed::plan.stages[0].writes_to(1));
  CHECK_FALSE(mixed::unknown.found());
  CHECK(find_problems<4>(mixed::plan).empty());
}

TEST_CASE("the first name that no buffer has is remembered with its stage") {
  using lost = pipeline<buffer<"x", int, depth<2>>, stage<"get", async, writes<"x">>,
                        stage<"use", sync, reads<"z">, updates<"y">>>;
  CHECK(lost::unknown.found());
  CHECK(lost::unknown.stage == "use");
  CHECK(lost::unknown.buffer == "z");
  CHECK_FALSE(line::unknown.found());
}

TEST_CASE("slots keep the type that they were declared with") {
  static_assert(std::is_same_v<slot_type<line, 0>, float[34][36]>);
  static_assert(std::is_same_v<slot_type<line, 1>, cell>);
  CHECK(sizeof(slot_type<line, 1>) == 16);
}

TEST_CASE("names are equal only as a whole") {
  static_assert(same_name(name("in"), name("in")));
  static_assert(!same_name(name("in"), name("on")));
  static_assert(!same_name(name("in"), name("inner")));
  CHECK(name("in").view() == "in");
}

TEST_CASE("an automatic depth is the least that keeps up with the stages") {
  using timed = pipeline<buffer<"in", float[1024], depth<automatic>>, buffer<"out", float[1024], depth<automatic>>,
                         stage<"read", async, writes<"in">, timing<20, 500>>,
                         stage<"compute", sync, reads<"in", window<-1, 1>>, writes<"out">, timing<100, 100>>,
                         stage<"write", async, reads<"out">, timing<30, 300>>>;
  static_assert(timed::plan.buffers[0].depth == 6 + 2 && timed::plan.buffers[1].depth == 4);
  CHECK(period_ns(timed::plan) == 100);
}

TEST_CASE("an automatic depth without times stays one, and is refused") {
  using untimed = pipeline<buffer<"in", int, depth<automatic>>, stage<"read", async, writes<"in">>,
                           stage<"sum", sync, reads<"in">>>;
  CHECK(untimed::plan.buffers[0].depth == automatic);
  REQUIRE(find_problems<2>(untimed::plan).size() == 1);
  CHECK(find_problems<2>(untimed::plan)[0].rule == "depth");
}

TEST_CASE("neighbours alone wait for each other where eight agents update eight buffers") {
  const auto& needed = eight_by_eight::guards<eight_by_eight::apart_updates>.needed;
  REQUIRE(needed.size() == 8);
  for (const guard& g : needed) {
    const bool laps = g.waiter == 0 && g.on == 7 && g.distance == 16;
    CHECK((laps || (g.waiter == g.on + 1 && g.distance == 0)));
  }
}
