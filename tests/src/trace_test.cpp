// Recorded traces: what is read from a good one, and that a bad one can do no harm.
#include "input_error.hpp"
#include "src/trace_bytes.hpp"
#include "src/xml.hpp"
#include "support/properties.hpp"
#include "trace_read.hpp"
#include "trace_report.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cstring>
#include <string>

using namespace penstock::command;
using nlohmann::json;
using penstock::trace::event;

namespace {

std::string fault(const std::string& bytes) {
  try {
    read_trace(bytes, "t");
  } catch (const input_error& e) {
    return e.what();
  }
  return "read without complaint";
}

std::string patched(std::string bytes, std::size_t at, std::uint32_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

}  // namespace

TEST_CASE("records pack and unpack") {
  const auto r = penstock::trace::make_record(42, event::complete, 255, 300, 0x1ff'ffff'ffffu);
  CHECK(r.clock == 42);
  CHECK(penstock::trace::kind_of(r) == event::complete);
  CHECK(penstock::trace::stage_of(r) == 255);
  CHECK(penstock::trace::slot_of(r) == (300 & 255));
  CHECK(penstock::trace::iteration_of(r) == 0xff'ffff'ffffu);
}

TEST_CASE("work, waits and flights are put together from the records of all agents") {
  const recorded_trace t = read_trace(trace_bytes::two_agents().bytes(), "t");
  CHECK(t.stages == std::vector<std::string>{"read", "compute"});
  CHECK(t.agents == std::vector<std::string>{"dma", "warps"});
  REQUIRE(t.blocks.size() == 1);
  const trace_block& b = t.blocks[0];
  REQUIRE(b.work.size() == 4);
  CHECK(b.work[0].begin == 10);  // 1000 ns of the device's time are 1000 ticks from 500 on
  CHECK(b.work[0].freed == 20);
  CHECK(b.work[0].complete == 100);
  CHECK(b.work[1].complete == 150);
  CHECK(b.work[3].stage == 1);
  CHECK(b.work[3].iteration == 1);
  CHECK(b.work[3].complete == -1);
  REQUIRE(b.pauses.size() == 4);
  CHECK(b.pauses[0].end - b.pauses[0].begin == 10);
  CHECK(b.pauses[1].stage == -1);
  CHECK(b.pauses[3].end - b.pauses[3].begin == 11);
  REQUIRE(b.stops.size() == 1);
  CHECK(b.stops[0].iteration == 1);
  CHECK(t.records == 16);
  CHECK(t.damaged + t.overwritten + t.unmatched == 0);
}

TEST_CASE("a full ring keeps the newest records in order, and counts the rest") {
  trace_bytes::recording r({"s"}, {"a"});
  r.capacity = 5;
  for (std::uint64_t i = 0; i < 9; ++i) {
    r.add(0, 600 + 10 * i, event::issue, 0, 0, i);
    r.add(0, 605 + 10 * i, event::release, 0, 0, i);
  }
  const recorded_trace t = read_trace(r.bytes(), "t");
  REQUIRE(t.blocks[0].work.size() == 2);  // the release of iteration 6 has lost its issue
  CHECK(t.blocks[0].work[0].iteration == 7);
  CHECK(t.blocks[0].work[1].iteration == 8);
  CHECK(t.overwritten == 13);
  CHECK(t.unmatched == 1);
}

TEST_CASE("damaged records are left out and counted") {
  trace_bytes::recording r({"s"}, {"a"});
  r.capacity = 16;
  r.add(0, 400, event::issue, 0, 0, 0);  // before its block began
  r.add(0, 600, event::issue, 0, 0, 1);
  r.add(0, 590, event::release, 0, 0, 1);         // backwards
  r.add(0, 610, static_cast<event>(0), 0, 0, 1);  // no such event
  r.add(0, 610, static_cast<event>(99), 0, 0, 1);
  r.add(0, 610, event::release, 1, 0, 1);  // no such stage
  r.add(0, 620, event::release, 0, 0, 1);
  r.add(0, 1600, event::issue, 0, 0, 2);  // after its block ended
  const recorded_trace t = read_trace(r.bytes(), "t");
  CHECK(t.damaged == 6);
  REQUIRE(t.blocks[0].work.size() == 1);
  CHECK(t.blocks[0].work[0].freed - t.blocks[0].work[0].begin == 20);
}

TEST_CASE("clocks: the pairs where they are far apart, the stated rate otherwise, blocks on one axis") {
  trace_bytes::recording r({"s"}, {"a"}, 2);
  r.clocks[0] = {5'000'000, 100, 5'100'000, 150'100, 0, 0, 0};  // 1.5 ticks a nanosecond
  r.clocks[1] = {5'000'600, 900, 0, 0, 3, 1, 0};                // never ended
  r.clock_khz = 2'000'000;
  r.global_step_ns = 1000;
  for (std::size_t track : {0u, 1u}) {
    r.add(track, 1000, event::issue, 0, 0, 0);
    r.add(track, 1300, event::release, 0, 0, 0);
  }
  const recorded_trace t = read_trace(r.bytes(), "t");
  CHECK(t.blocks[0].work[0].begin == doctest::Approx(600.0));
  CHECK(t.blocks[0].work[0].freed == doctest::Approx(800.0));
  CHECK(t.blocks[1].work[0].begin == doctest::Approx(650.0));
  CHECK(t.blocks[1].work[0].freed == doctest::Approx(800.0));
  r.clocks[0].global_end = 5'010'000;  // ten steps of the coarse clock: too few to tell the rate
  CHECK(read_trace(r.bytes(), "t").blocks[0].work[0].freed == doctest::Approx(600.0));
}

TEST_CASE("a file that is no trace is refused with the place") {
  const std::string good = trace_bytes::two_agents().bytes();
  CHECK(fault("") == "t: byte 0: ends before the 48 bytes of a trace's header");
  CHECK(fault(good.substr(0, 47)).starts_with("t: byte 47: "));
  CHECK(fault("x" + good.substr(1)) == "t: byte 0: does not begin as a recorded trace does");
  CHECK(fault(patched(good, 8, 2)) == "t: byte 8: trace format version 2, this program reads version 1");
  CHECK(fault(patched(good, 12, 0)) == "t: byte 12: 0 stages, a trace has 1 to 256");
  CHECK(fault(patched(good, 12, 257)).starts_with("t: byte 12: "));
  CHECK(fault(patched(good, 16, 0xffffffffu)).starts_with("t: byte 16: "));
  CHECK(fault(patched(good, 20, 1u << 21)).starts_with("t: byte 20: "));
  CHECK(fault(patched(good, 24, 0)).starts_with("t: byte 24: "));
  CHECK(fault(patched(good, 24, 17)).starts_with("t: byte 40: "));  // counts and size disagree
  CHECK(fault(good + "x").starts_with("t: byte 40: "));
  CHECK(fault(good.substr(0, good.size() - 1)).starts_with("t: byte 40: "));
}

TEST_CASE("Trace Event JSON: a process a block, a thread an agent, flights as async events") {
  const json out = json::parse(trace_json(read_trace(trace_bytes::two_agents().bytes(), "t")));
  int begins = 0, ends = 0, stages = 0, waits = 0, names = 0, instants = 0;
  for (const json& e : out["traceEvents"]) {
    const std::string phase = e["ph"];
    if (phase == "b") {
      ++begins;
      CHECK(e["name"] == "read");
      CHECK(e["id2"]["local"].get<std::string>().starts_with("0:"));
    }
    if (phase == "e") ++ends;
    if (phase == "M") ++names;
    if (phase == "i") ++instants;
    if (phase == "X") ++(e["cat"] == "wait" ? waits : stages);
    CHECK(e["pid"] == 0);
  }
  CHECK(begins == 2);
  CHECK(ends == 2);
  CHECK(stages == 4);
  CHECK(waits == 4);
  CHECK(names == 3);
  CHECK(instants == 1);
  CHECK(out["traceEvents"][0]["args"]["name"] == "block 0 (SM 7)");
}

TEST_CASE("labels of a hostile device are escaped everywhere") {
  auto r = trace_bytes::two_agents();
  r.stages = {"\"},{</svg>\n\x1b[31m", "\xff\xfe"};
  r.agents = {"", std::string(64, '<')};
  const recorded_trace t = read_trace(r.bytes(), "t");
  CHECK(t.agents[0] == "agent 0");
  CHECK(json::parse(trace_json(t))["traceEvents"].is_array());
  CHECK(xml::fault_in(timeline_svg(trace_timeline(t, {}))) == "");
  CHECK(trace_text(t).find('\x1b') == std::string::npos);
}

TEST_CASE("the picture is of the block asked for") {
  trace_bytes::recording r({"s"}, {"a"}, 3);
  r.add(1, 600, event::issue, 0, 0, 5);
  r.add(1, 700, event::release, 0, 0, 5);
  const recorded_trace t = read_trace(r.bytes(), "t");
  CHECK(trace_timeline(t, {}).title == "block 1 on SM 7");
  CHECK(trace_timeline(t, 1u).bars.size() == 1);
  CHECK_THROWS_WITH_AS(trace_timeline(t, 2u), "block 2 of the trace has no finished stage to draw", input_error);
  CHECK_THROWS_WITH_AS(trace_timeline(t, 9u), "the trace holds no block 9", input_error);
}

TEST_CASE("a long recording is drawn in part, and says so") {
  trace_bytes::recording r({"s"}, {"a"});
  r.capacity = 4000;
  r.clocks[0] = {0, 0, 1'000'000, 1'000'000, 0, 0, 0};
  for (std::uint64_t i = 0; i < 2000; ++i) {
    r.add(0, 100 * i, event::issue, 0, 0, i);
    r.add(0, 100 * i + 50, event::release, 0, 0, i);
  }
  const timeline t = trace_timeline(read_trace(r.bytes(), "t"), {});
  CHECK(t.bars.size() == 600);
  CHECK(t.title == "block 0 on SM 0: the first 600 of 2000 stage instances");
}

TEST_CASE("the text gives the means of each stage") {
  const std::string text = trace_text(read_trace(trace_bytes::two_agents().bytes(), "t"));
  CHECK(text.starts_with("1 block, 2 agents, 16 records in 190 ns\n1 stage instance ended the run early\n"));
  CHECK_MESSAGE(text.find("  read              2         10 ns        105 ns         10 ns") != text.npos, text);
}

TEST_CASE("whatever bytes a device leaves, the reader ends in a result or in one sentence") {
  const std::string good = trace_bytes::two_agents().bytes();
  int read = 0, refused = 0;
  CHECK(properties::check(3000, "traces with damaged bytes", [&] {
    std::string bytes = good;
    for (int k = *rc::gen::inRange(1, 12); k > 0; --k) {
      const auto at =
          *rc::gen::inRange<std::size_t>(*rc::gen::elementOf(std::vector<std::size_t>{0, 48}), bytes.size());
      bytes[at] = *rc::gen::element('\0', '\1', '\x7f', '\x80', '\xff', '\2', '\3', '\4');
    }
    if (*rc::gen::inRange(0, 20) == 0) bytes.resize(*rc::gen::inRange<std::size_t>(0, bytes.size()));
    try {
      const recorded_trace t = read_trace(bytes, "t");
      ++read;
      RC_ASSERT(json::accept(trace_json(t)));
      RC_ASSERT(!trace_text(t).empty());
      RC_ASSERT(xml::fault_in(timeline_svg(trace_timeline(t, {}))) == "");
    } catch (const input_error& e) {
      ++refused;
      RC_ASSERT(std::string_view(e.what()).find('\n') == std::string_view::npos);
    }
  }));
  CHECK(properties::reached(read, 300));
  CHECK(properties::reached(refused, 100));
}
