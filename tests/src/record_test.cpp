// A run on the host, recorded, and what the command makes of it.
#include <penstock/check/record.hpp>

#include "command_line.hpp"
#include "src/process.hpp"
#include "src/xml.hpp"
#include "trace_read.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

using namespace penstock;
using namespace penstock::command;
using check::recording;

machine penstock::command::examine_machine() { return {}; }

namespace {

using tile = int[16];
constexpr int depth_in = 4, depth_out = 2;
using line = pipeline<buffer<"in", tile, depth<depth_in>>, buffer<"out", tile, depth<depth_out>>,
                      stage<"read", async, writes<"in">>,
                      stage<"double", penstock::sync, reads<"in">, writes<"out">>,
                      stage<"write", async, reads<"out">>>;

struct data {
  std::vector<int> in, out;
  explicit data(int n) : in(static_cast<std::size_t>(16 * n)), out(in.size(), -1) {
    for (std::size_t k = 0; k < in.size(); ++k) in[k] = static_cast<int>(3 * k + 1);
  }
};

// The run of `line` with what its body returns, for any way to run it.
template <class Run, class Body>
auto with_bodies(Run&& run, data& d, Body body) {
  return run(on<"read">([&](long long i) { return from(d.in.data() + 16 * i); }),
             on<"double">([=](auto group, auto& in, auto& out, long long i) {
               for (int k = group.rank(); k < 16; k += group.size()) out[k] = 2 * in[k];
               return body(i);
             }),
             on<"write">([&](long long i) { return to(d.out.data() + 16 * i); }));
}

template <class... Options, class Body>
run_result record_line(recording& tape, long long n, data& d, Body body) {
  return with_bodies([&](auto... bound) { return check::record<line, Options...>(tape, n, bound...); }, d, body);
}
constexpr auto go_on = [](long long) {};

recorded_trace read_back(const recording& tape) {
  recorded_trace t = read_trace(tape.bytes(), "tape");
  CHECK(t.damaged == 0);
  return t;
}

// begin and freed of (stage, iteration)
using times = std::map<std::pair<int, std::uint64_t>, std::pair<double, double>>;
times times_of(const recorded_trace& t) {
  times out;
  for (const trace_work& w : t.blocks.at(0).work)
    CHECK(out.try_emplace({w.stage, w.iteration}, std::pair{w.begin, w.freed}).second);
  return out;
}

}  // namespace

TEST_CASE("every instance of every stage is recorded, in an order that keeps the guards") {
  constexpr int n = 200;
  data d(n);
  recording tape;
  CHECK(record_line(tape, n, d, go_on).iterations == n);
  for (std::size_t k = 0; k < d.in.size(); ++k) REQUIRE(d.out[k] == 2 * d.in[k]);
  const recorded_trace t = read_back(tape);
  CHECK(t.stages == std::vector<std::string>{"read", "double", "write"});
  CHECK(t.agents.size() == 3);
  CHECK(t.unmatched + t.overwritten == 0);
  times at = times_of(t);
  CHECK(at.size() == 3 * n);
  for (std::uint64_t i = 0; i < n; ++i) {
    for (int s = 0; s < 3; ++s) {
      REQUIRE(at.count({s, i}) == 1);
      CHECK(at[{s, i}].first <= at[{s, i}].second);
      if (s > 0) CHECK(at[{s - 1, i}].second <= at[{s, i}].first);
      if (i > 0) CHECK(at[{s, i - 1}].second <= at[{s, i}].first);
    }
    if (i >= depth_in) CHECK(at[{1, i - depth_in}].second <= at[{0, i}].first);
    if (i >= depth_out) CHECK(at[{2, i - depth_out}].second <= at[{1, i}].first);
  }
  for (const trace_work& w : t.blocks[0].work)
    CHECK(w.slot == w.iteration % std::uint64_t(w.stage == 0 ? depth_in : depth_out));
}

TEST_CASE("what an agent is held by is what it waits for") {
  bool held[3]{};
  // how long a body must take for the others to come to their waits meanwhile is up to the machine
  for (int ms = 1; ms <= 4096 && !(held[0] && held[2]); ms *= 2) {
    data d(6);
    recording tape;
    record_line(tape, 6, d, [=](long long) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); });
    const recorded_trace t = read_back(tape);
    times at = times_of(t);
    bool drained = false;
    for (const trace_pause& p : t.blocks[0].pauses) {
      drained = drained || p.stage < 0;
      if (p.stage != 2 && (p.stage != 0 || p.iteration < depth_in)) continue;
      // a result, or a slot
      const double free = at[{1, p.stage == 2 ? p.iteration : p.iteration - depth_in}].second;
      CHECK(p.end >= free);
      held[p.stage] = held[p.stage] || p.begin < free;
    }
    CHECK(drained);
  }
  CHECK(held[0]);
  CHECK(held[2]);
}

TEST_CASE("one thread in declared order") {
  data d(5);
  recording tape;
  CHECK(record_line<sequential>(tape, 5, d, go_on).iterations == 5);
  const recorded_trace t = read_back(tape);
  CHECK(t.agents.size() == 1);
  std::vector<std::pair<int, std::uint64_t>> order;
  for (const trace_work& w : t.blocks[0].work) order.emplace_back(w.stage, w.iteration);
  REQUIRE(order.size() == 15);
  for (int k = 0; k < 15; ++k) CHECK(order[std::size_t(k)] == std::pair{k % 3, std::uint64_t(k / 3)});
}

TEST_CASE("a stop is recorded, and nothing that was not done after it") {
  for (const bool threads : {false, true}) {
    data d(40);
    recording tape;
    const auto stop_at_7 = [](long long i) { return i == 7 ? penstock::stop : penstock::go; };
    const run_result r = threads ? record_line(tape, 40, d, stop_at_7)
                                 : record_line<sequential>(tape, 40, d, stop_at_7);
    CHECK(r.iterations == 8);
    CHECK(r.stopped);
    const recorded_trace t = read_back(tape);
    CHECK(t.unmatched == 0);
    REQUIRE(t.blocks[0].stops.size() == 1);
    CHECK(t.blocks[0].stops[0].stage == 1);
    CHECK(t.blocks[0].stops[0].iteration == 7);
    std::uint64_t done[3]{};
    for (const trace_work& w : t.blocks[0].work) ++done[w.stage];
    CHECK(done[0] >= 8);
    CHECK(done[1] == 8);
    CHECK(done[2] == 8);
  }
}

TEST_CASE("a run that asks a source records who asks") {
  data d(9);
  recording tape;
  long long next = 0;
  const run_result r = with_bodies(
      [&](auto... bound) {
        return check::record<line>(tape, [&]() -> long long { return next < 9 ? next++ : no_more; }, bound...);
      },
      d, go_on);
  CHECK(r.iterations == 9);
  const recorded_trace t = read_back(tape);
  REQUIRE(t.stages.size() == 4);
  CHECK(t.stages[0] == "source");
  CHECK(t.unmatched == 0);
  std::uint64_t done[4]{};
  for (const trace_work& w : t.blocks[0].work) ++done[w.stage];
  CHECK(done[0] == 10);  // the last answer is that there is no more
  for (int s = 1; s < 4; ++s) CHECK(done[s] == 9);
}

TEST_CASE("of a long run each agent keeps its newest events") {
  data d(100);
  recording tape(16);
  record_line(tape, 100, d, go_on);
  const recorded_trace t = read_back(tape);
  CHECK(t.records == 3 * 16);
  CHECK(t.overwritten > 3 * 100);
  std::uint64_t newest[3]{};
  for (const trace_work& w : t.blocks[0].work) newest[w.stage] = std::max(newest[w.stage], w.iteration);
  for (std::uint64_t i : newest) CHECK(i == 99);
  CHECK_THROWS_AS(recording(0), std::invalid_argument);
  CHECK_THROWS_AS(recording((1u << 24) + 1), std::invalid_argument);
}

TEST_CASE("where a body throws, what came before is there") {
  data d(20);
  recording tape;
  const auto fail_at_5 = [](long long i) {
    if (i == 5) throw std::runtime_error("five");
  };
  CHECK_THROWS_WITH(record_line(tape, 20, d, fail_at_5), "five");
  std::uint64_t done = 0;
  const recorded_trace t = read_back(tape);
  for (const trace_work& w : t.blocks[0].work) done += w.stage == 1;
  CHECK(done == 5);
  CHECK(t.unmatched >= 1);  // the instance that threw
  CHECK(record_line(tape, 2, d, go_on).iterations == 2);  // and the tape holds the next run alone
  CHECK(times_of(read_back(tape)).size() == 6);
}

TEST_CASE("a run of no iterations, and long names") {
  data d(1);
  recording tape;
  CHECK_THROWS_AS(tape.save("/tmp/never"), std::logic_error);
  record_line(tape, 0, d, go_on);
  CHECK(read_back(tape).records == 0);
  tape.begin({{std::string(63, 'x') + "é", 1}}, {std::string(200, 'y')});
  tape.end();
  const recorded_trace t = read_back(tape);
  CHECK(t.stages[0] == std::string(63, 'x'));
  CHECK(t.agents[0] == std::string(64, 'y'));
}

TEST_CASE("the command turns a saved recording into figures, JSON and a picture") {
  data d(12);
  recording tape;
  record_line(tape, 12, d, [](long long) { std::this_thread::sleep_for(std::chrono::microseconds(200)); });
  const process::scratch_file file("old");
  tape.save(file.path());
  CHECK_FALSE(std::filesystem::exists(file.path() + ".part"));
  const outcome figures = run_command({"trace", file.path()});
  CHECK(figures.status == 0);
  CHECK(figures.output.starts_with("1 block, 3 agents, "));
  const auto json = nlohmann::json::parse(run_command({"trace", file.path(), "--json", "-"}).output);
  int doubled = 0;
  for (const auto& e : json["traceEvents"]) doubled += e["ph"] == "X" && e["name"] == "double";
  CHECK(doubled == 12);
  const std::string picture = run_command({"trace", file.path(), "--svg", "-"}).output;
  CHECK(xml::fault_in(picture) == "");
  CHECK(picture.find("double 11, slot 1: ") != picture.npos);
  CHECK_THROWS_AS(tape.save("/nonexistent/line.trace"), std::system_error);
  CHECK_THROWS_AS(tape.save("/dev/null/x"), std::system_error);
}
