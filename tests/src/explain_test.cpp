// What `penstock explain` says of plans whose answers are known.
#include "explain.hpp"

#include "reasons.hpp"
#include "src/plans.hpp"
#include "src/xml.hpp"
#include "utf8.hpp"
#include "words.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace penstock::command;
using nlohmann::json;

namespace {

json explained(const std::string& text, bool latency = false) {
  const parsed_plan p = parse_plan(text, "plan");
  return json::parse(explain_json(p, analyse(p, latency)));
}

std::string read_aloud(const std::string& text, bool latency = false) {
  const parsed_plan p = parse_plan(text, "plan");
  return explain_text(p, analyse(p, latency));
}

std::string drawn(const std::string& text) {
  const parsed_plan p = parse_plan(text, "plan");
  return graph_svg(p, analyse(p, true));
}

// "S1<-S0 raw B 0", in the order of the output.
std::vector<std::string> short_guards(const json& list) {
  std::vector<std::string> out;
  for (const json& g : list)
    out.push_back(g["waiter"].get<std::string>() + "<-" + g["on"].get<std::string>() + " " +
                  g["kind"].get<std::string>() + " " + g["buffer"].get<std::string>() + " " +
                  std::to_string(g["distance"].get<int>()));
  return out;
}

std::vector<std::string> rules(const json& report) {
  std::vector<std::string> out;
  for (const json& p : report["problems"]) out.push_back(p["rule"]);
  return out;
}

using strings = std::vector<std::string>;

std::string two_stages(const std::string& depth, const std::string& window, const std::string& more = "") {
  return R"({"buffers":[{"name":"b","depth":)" + depth + R"(}],"stages":[{"name":"w","mode":"async","writes":["b"]},)" +
         R"({"name":"r","mode":"sync","reads":[{"buffer":"b","window":)" + window + "}]" + more + "}]}";
}

}  // namespace

TEST_CASE("the stencil plan, key by key") {
  const json expected = json::parse(R"({"ok":true,
    "guards":[{"kind":"raw","waiter":"compute","on":"read","buffer":"in","distance":-1},
              {"kind":"war","waiter":"read","on":"compute","buffer":"in","distance":3},
              {"kind":"raw","waiter":"write","on":"compute","buffer":"out","distance":0},
              {"kind":"war","waiter":"compute","on":"write","buffer":"out","distance":2}],
    "implied":[{"kind":"waw","waiter":"read","on":"read","buffer":"in","distance":4},
               {"kind":"waw","waiter":"compute","on":"compute","buffer":"out","distance":2}],
    "min_depth":{"in":3,"out":1},"drain":["write"],"problems":[],"period_ns":null})");
  CHECK(explained(plans::stencil) == expected);
}

TEST_CASE("the published three-stage cases") {
  const auto guards = [](int depth, bool s0, bool s1, bool s2) {
    return short_guards(explained(plans::three_stages(depth, s0, s1, s2))["guards"]);
  };
  CHECK(guards(2, false, true, false) == strings{"S0<-S1 war B 2", "S2<-S1 raw C 0"});
  CHECK(guards(2, true, true, true) == strings{"S1<-S0 raw B 0", "S0<-S1 war B 2", "S2<-S1 raw C 0", "S1<-S2 war C 2"});
  CHECK(guards(3, true, true, true) == strings{"S1<-S0 raw B 0", "S2<-S1 raw C 0", "S1<-S2 war C 3"});
  CHECK(guards(2, false, false, false).empty());
}

TEST_CASE("the drain names the async stages that nobody waits for") {
  CHECK(explained(plans::axpy)["drain"] == json{"write"});
  CHECK(explained(plans::three_stages(2, true, true, false))["drain"] == json::array());
  CHECK(explained(two_stages("2", "[-1,-1]"))["drain"] == json{"w"});
}

TEST_CASE("the period is given when asked for or when a stage states times") {
  CHECK(explained(plans::stencil)["period_ns"].is_null());
  CHECK(explained(plans::stencil, true)["period_ns"] == 0.0);
  CHECK(explained(plans::axpy)["period_ns"] == 437.5);
  // max(issue, compute, issue, (L + C) / D1, (C + Ls) / D2) for one agent a stage
  CHECK(explained(R"({"buffers":[{"name":"a","depth":4},{"name":"b","depth":2}],"stages":[
    {"name":"l","mode":"async","writes":["a"],"issue":50,"latency":1000},
    {"name":"c","mode":"sync","reads":["a"],"writes":["b"],"latency":200},
    {"name":"s","mode":"async","reads":["b"],"issue":40,"latency":300}]})")["period_ns"] == 300.0);
}

TEST_CASE("each rule rejects with its own sentence, and nothing else is claimed") {
  const auto rejected = [](const std::string& text, const std::string& rule, const std::string& part) {
    const json report = explained(text, true);
    CHECK(report["ok"] == false);
    CHECK(report["guards"].empty());
    CHECK(report["implied"].empty());
    CHECK(report["drain"].empty());
    CHECK(report["period_ns"].is_null());
    REQUIRE_FALSE(report["problems"].empty());
    CHECK(rules(report)[0] == rule);
    const std::string message = report["problems"][0]["message"];
    CHECK_MESSAGE(message.find(part) != message.npos, message);
  };
  const std::string b2 = R"({"buffers":[{"name":"b","depth":2}],"stages":[)";
  rejected(R"({"buffers":[],"stages":[]})", "empty", "no stages");
  rejected(b2 + R"({"name":"s","mode":"sync","reads":["x"]}]})", "unknown-name", "'s' reads buffer 'x'");
  rejected(b2 + R"({"name":"s","mode":"sync","reads":["b"]}]})", "never-written", "'b'");
  rejected(b2 + R"({"name":"s","mode":"sync","writes":["b"]}]})", "never-read", "'b'");
  rejected(b2 + R"({"name":"s","mode":"sync"}]})", "unused", "'b'");
  rejected(b2 + R"({"name":"r","mode":"sync","reads":["b"]},{"name":"w","mode":"sync","writes":["b"]}]})",
           "read-before-write", "'r'");
  rejected(b2 + R"({"name":"w","mode":"sync","writes":["b"]},{"name":"w","mode":"sync","reads":["b"]}]})",
           "duplicate-name", "'w'");
  rejected(b2 + R"({"name":"w","mode":"sync","writes":["b","b"]},{"name":"r","mode":"sync","reads":["b"]}]})",
           "duplicate-access", "'w'");
  rejected(
      b2 +
          R"({"name":"w","mode":"sync","writes":["b"]},{"name":"r","mode":"sync","reads":[{"buffer":"b","window":[0,1]}]},)" +
          R"({"name":"v","mode":"sync","writes":["b"]}]})",
      "look-ahead", "'v'");
  rejected(two_stages("0", "[0,0]"), "depth", "depth 0");
  rejected(two_stages("4", "[1,-1]"), "window", "[1,-1]");
  rejected(two_stages("2", "[-1,1]"), "window-depth", "smallest depth that works is 3");
  rejected(two_stages("2", "[0,0]", R"(,"agent":"w","skew":-1)"), "deadlock", "cycle of distance");
}

TEST_CASE("the smallest depth is given for a plan that is only too shallow") {
  CHECK(explained(two_stages("2", "[-1,1]"))["min_depth"] == json{{"b", 3}});
  CHECK(explained(two_stages("0", "[0,0]"))["min_depth"] == json{{"b", 1}});
  CHECK(explained(two_stages("2", "[0,0]", R"(,"agent":"w","skew":-1)"))["min_depth"] == json::object());
  CHECK(explained(R"({"buffers":[{"name":"b","depth":2}],"stages":[{"name":"s","mode":"sync","reads":["x","b"]}]})")
            ["min_depth"] == json::object());
  // both rings are too shallow: neither depth alone would do, but each has its own least
  CHECK(explained(R"({"buffers":[{"name":"in","depth":2},{"name":"out","depth":0}],"stages":[
    {"name":"r","mode":"async","writes":["in"]},
    {"name":"c","mode":"sync","reads":[{"buffer":"in","window":[-1,1]}],"writes":["out"]},
    {"name":"w","mode":"async","reads":["out"]}]})")["min_depth"] == json{{"in", 3}, {"out", 1}});
}

TEST_CASE("a sentence that was cut inside a character is still UTF-8") {
  bool broken = false;
  for (const std::string& first : {std::string("x"), std::string("xx")}) {  // one of them is cut after half a character
    std::string name = first;
    while (name.size() < 118) name += "é";
    const std::string text = R"({"buffers":[{"name":"b","depth":2},{"name":"c","depth":2}],"stages":[{"name":"z)" +
                             name + R"(","mode":"async","agent":"A","writes":["b"]},{"name":")" + name +
                             R"(","mode":"sync","reads":["b"],"writes":["c"]},{"name":"y)" + name +
                             R"(","mode":"sync","agent":"A","skew":-1,"reads":["c"]}]})";
    const parsed_plan p = parse_plan(text, "plan");
    const auto found = penstock::find_problems<8>(p.value);
    REQUIRE_FALSE(found.empty());
    REQUIRE(found[0].message.view().ends_with("..."));
    broken = broken || printable(found[0].message.view()) != found[0].message.view();
    CHECK(rules(explained(text))[0] == found[0].rule);  // parsing it is the check: JSON admits no broken UTF-8
    const std::string aloud = read_aloud(text);
    for (std::size_t i = 0; i < aloud.size();) {
      const int bytes = decode_utf8(std::string_view(aloud).substr(i)).bytes;
      REQUIRE(bytes > 0);
      i += std::size_t(bytes);
    }
  }
  CHECK(broken);
}

TEST_CASE("guards are spelled in words") {
  const std::string text = read_aloud(plans::stencil);
  for (const char* part : {"sound: 3 stages, 2 buffers, 3 agents; 4 guards needed, 2 implied",
                           "`compute` waits for `read` 1 iteration ahead (RAW on `in`)",
                           "`read` waits for `compute` 3 iterations back (WAR on `in`: slot reuse)",
                           "`write` waits for `compute` of the same iteration (RAW on `out`)",
                           "by `read` → `compute` (RAW on `in`, -1) → `read` (WAR on `in`, 3)",
                           "drain: wait for `write` before", "`in` has 4, the smallest that works is 3"})
    CHECK_MESSAGE(text.find(part) != text.npos, part);
  CHECK(read_aloud(two_stages("2", "[-1,1]"))
            .starts_with("rejected: 2 stages, 1 buffer, 2 agents\n  window-depth: stage 'r'"));
}

TEST_CASE("stages are drawn in their agents' lanes with buffers as wires") {
  const std::string picture =
      "  agent    stage             in ×4     out ×2\n"
      "  ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄\n"
      "  read     read    async ───▶●\n"
      "  ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄│┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄\n"
      "  compute  compute sync  ◀───●[-1,1]\n"
      "                         ─────────────▶●\n"
      "  ┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄┄│┄┄┄┄┄┄\n"
      "  write    write   async ◀─────────────●\n";
  const std::string text = read_aloud(plans::stencil);
  CHECK_MESSAGE(text.find(picture) != text.npos, text);
}

TEST_CASE(
    "advice: one more slot where a guard drains every copy, one more skew where a copy is waited for at "
    "once") {
  const std::string shallow = read_aloud(plans::three_stages(2, true, true, true));
  CHECK(shallow.find("depth 3 of `B` would avoid a full drain: `S0` waits for the `S1` just issued") != shallow.npos);
  CHECK(read_aloud(plans::three_stages(3, true, true, true)).find("advice") == std::string::npos);
  const std::string serial = read_aloud(two_stages("1", "[0,0]", R"(,"agent":"w")"));
  CHECK(serial.find("one more step of skew for `r` and depth 2 of `b` would keep a `w` in flight") != serial.npos);
}

TEST_CASE("what sets the period is named, with the depths that lift it") {
  const std::string text = read_aloud(plans::axpy);
  for (const char* part :
       {"period: 437.5 ns an iteration", "which takes 1750 ns and advances 4 iterations",
        "depth 5 of `y` would lower it to 350 ns, depth 7 to 262.5 ns; more depth than that buys nothing"})
    CHECK_MESSAGE(text.find(part) != text.npos, text);
}

TEST_CASE("a chain that implies a guard holds: its steps add up to no more than the guard's distance") {
  for (int depth : {2, 3, 5})
    for (int async = 0; async < 8; ++async) {
      const parsed_plan p = parse_plan(plans::three_stages(depth, async & 1, async & 2, async & 4), "plan");
      const analysis a = analyse(p, false);
      for (const penstock::guard& g : a.implied) {
        const auto chain = why_implied(p.value, a.guards, g);
        REQUIRE_FALSE(chain.empty());
        CHECK(chain.front().from == g.on);
        CHECK(chain.back().to == g.waiter);
        int distance = 0;
        for (std::size_t i = 0; i < chain.size(); ++i) {
          if (i > 0) CHECK(chain[i].from == chain[i - 1].to);
          distance += chain[i].distance;
        }
        CHECK(distance <= g.distance);
      }
    }
}

TEST_CASE("pictures are well-formed, whatever the names") {
  CHECK(xml::fault_in(drawn(plans::stencil)) == "");
  CHECK(xml::fault_in(drawn(plans::axpy)) == "");
  CHECK(xml::fault_in(drawn(R"({"buffers":[],"stages":[]})")) == "");
  CHECK(xml::fault_in(drawn(two_stages("2", "[-1,1]"))) == "");
  const std::string hostile = drawn(R"({"buffers":[{"name":"<&\">]]>","depth":2}],"stages":[
    {"name":"</svg><script>","mode":"async","writes":["<&\">]]>"],"agent":"--><!--"},
    {"name":"\uffff&amp;","mode":"sync","reads":["<&\">]]>"]}]})");
  CHECK(xml::fault_in(hostile) == "");
  CHECK(hostile.find("<script>") == std::string::npos);
  CHECK(xml::fault_in("<a><b></a></b>") != "");  // the checker itself objects
  CHECK(xml::fault_in("<a x=\"1\" x=\"2\"/>") != "");
  CHECK(xml::fault_in("<a>&</a>") != "");
}

TEST_CASE("every guard of a plan is in its picture") {
  const std::string picture = drawn(plans::stencil);
  for (const char* label : {"RAW 1 ahead", "WAR 3 back", ">RAW<", "WAR 2 back", "in ×4 [-1,1]", "out ×2"})
    CHECK_MESSAGE(picture.find(label) != picture.npos, label);
}

TEST_CASE("times read well") {
  CHECK(time_text(0) == "0 ns");
  CHECK(time_text(437.5) == "437.5 ns");
  CHECK(time_text(12345) == "12.345 us");
  CHECK(time_text(1e12) == "1000 s");
}
