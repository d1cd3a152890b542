// What the command reads as a plan, and where it says that something is not one.
#include "parse_plan.hpp"

#include "input_error.hpp"
#include "src/plans.hpp"

#include <penstock/plan/json.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace penstock::command;
using penstock::mode;

namespace {

std::string stage(const std::string& fields) {
  return R"({"buffers":[{"name":"b","depth":2}],"stages":[{"name":"s","mode":"sync")" + fields + "}]}";
}

// The message that ends exit status 2.
std::string fault(const std::string& bytes) {
  try {
    parse_plan(bytes, "plan");
  } catch (const input_error& e) {
    return e.what();
  }
  return "read without complaint";
}

}  // namespace

TEST_CASE("a plan is read with its defaults") {
  const parsed_plan p = parse_plan(plans::stencil, "plan");
  REQUIRE(p.value.buffers.size() == 2);
  REQUIRE(p.value.stages.size() == 3);
  CHECK(p.value.buffers[0].name == "in");
  CHECK(p.value.buffers[0].depth == 4);
  const auto& compute = p.value.stages[1];
  CHECK(compute.mode == mode::sync);
  CHECK(p.value.stages[0].mode == mode::async);
  CHECK(compute.skew == 0);
  CHECK(compute.order == 1);
  CHECK(p.value.agents[compute.agent] == "compute");
  CHECK(compute.reads[0].window.first == -1);
  CHECK(compute.reads[0].window.last == 1);
  CHECK(compute.writes[0] == 1);
  CHECK_FALSE(p.has_timing);
  CHECK(p.unknown_names.empty());
}

TEST_CASE("every field is read") {
  const parsed_plan p = parse_plan(
      stage(
          R"(,"agent":"warps","skew":-3,"order":7,"reads":["b",{"buffer":"b"}],"writes":["b"],"issue":1.5,"latency":2)"),
      "plan");
  const auto& s = p.value.stages[0];
  CHECK(p.value.agents[s.agent] == "warps");
  CHECK(s.skew == -3);
  CHECK(s.order == 7);
  CHECK(s.reads.size() == 2);
  CHECK(s.writes.size() == 1);
  CHECK(s.issue_ns == 1.5);
  CHECK(s.latency_ns == 2.0);
  CHECK(p.has_timing);
}

TEST_CASE("stages share the agent they name, be it another stage's") {
  const parsed_plan p = parse_plan(
      R"({"buffers":[],"stages":[{"name":"a","mode":"sync"},{"name":"b","mode":"sync","agent":"a"},
          {"name":"c","mode":"sync","agent":"w"},{"name":"d","mode":"sync","agent":"w"}]})",
      "plan");
  CHECK(p.value.agents.size() == 2);
  CHECK(p.value.stages[1].agent == p.value.stages[0].agent);
  CHECK(p.value.stages[3].agent == p.value.stages[2].agent);
}

TEST_CASE("names outlive a move of the plan") {
  parsed_plan first = parse_plan(plans::axpy, "plan");
  const parsed_plan second = std::move(first);
  CHECK(second.value.stages[0].name == "read x");
  CHECK(penstock::plan_json(second.value) == penstock::plan_json(parse_plan(plans::axpy, "plan").value));
}

TEST_CASE("what a plan prints of itself reads back as the same plan") {
  for (const std::string& text : {plans::stencil, plans::axpy, plans::three_stages(3, true, false, true)}) {
    const std::string printed = penstock::plan_json(parse_plan(text, "plan").value);
    CHECK(penstock::plan_json(parse_plan(printed, "printed").value) == printed);
  }
}

TEST_CASE("an access to an undeclared buffer is a fault of the plan, not of the file") {
  const parsed_plan p = parse_plan(stage(R"(,"reads":["c",{"buffer":"d"}],"writes":["b","é"])"), "plan");
  REQUIRE(p.unknown_names.size() == 3);
  CHECK(p.unknown_names[0] == "stage 's' reads buffer 'c', which is not declared");
  CHECK(p.unknown_names[2] == "stage 's' writes buffer 'é', which is not declared");
}

TEST_CASE("malformed JSON is refused at its line and column") {
  CHECK(fault("") ==
        "plan: 1:1: syntax error while parsing value - unexpected end of input; expected '[', '{', or a "
        "literal");
  CHECK(fault("{\n \"buffers\": x}").starts_with("plan: 2:13: "));
  CHECK(fault("{\"buffers\":[],\n\n  \"stages\":[}").starts_with("plan: 3:13: "));
  CHECK(fault(plans::stencil + "x").starts_with("plan: 4:"));
  CHECK(fault("{\"é\": ?").starts_with("plan: 1:7: "));  // columns are characters
  CHECK(fault("{\"buffers\":[],\"stages\":[{\"name\":\"a\",\"mode\":\"sync\",\"latency\":1e400}]}")
            .starts_with("plan: 1:"));
  CHECK(fault("{\"buffers\":NaN}").starts_with("plan: 1:1"));
  CHECK(fault("{\"buffers\":\"\xff\"}").starts_with("plan: 1:13: "));
  CHECK(fault("\xef\xbb").starts_with("plan: 1:"));
  CHECK(fault(std::string("{\"a\0\":1}", 8)).starts_with("plan: 1:"));
  CHECK(fault("{\"a\":\"\\ud800\"}").starts_with("plan: 1:"));
  CHECK(fault("{\"a\":1} // why").starts_with("plan: 1:9: "));
}

TEST_CASE("what follows the syntax is refused at its JSON pointer") {
  CHECK(fault("[]") == "plan: 1:1: expected an object, got []");
  CHECK(fault("{}") == "plan: 1:1: key \"buffers\" is missing");
  CHECK(fault(R"({"buffers":[],"buffers":[]})") == "plan: 1:1: key \"buffers\" appears twice");
  CHECK(fault(stage(R"(,"skew":1,"skew":1)")) == "plan: /stages/0: key \"skew\" appears twice");
  CHECK(fault(stage(R"(,"colour":1)")) == "plan: /stages/0: unknown key \"colour\"");
  CHECK(fault(R"({"buffers":{},"stages":[]})") == "plan: /buffers: expected an array of buffers, got {}");
  CHECK(fault(R"({"buffers":[{"name":"a"}],"stages":[]})") == "plan: /buffers/0: key \"depth\" is missing");
  CHECK(fault(R"({"buffers":[],"stages":[{"name":"a","mode":"Sync"}]})") ==
        "plan: /stages/0/mode: expected \"sync\" or \"async\", got \"Sync\"");
  CHECK(fault(stage(R"(,"reads":"b")")) == "plan: /stages/0/reads: expected an array of reads, got \"b\"");
  CHECK(fault(stage(R"(,"reads":[1])")) ==
        "plan: /stages/0/reads/0: expected a buffer's name or {\"buffer\", \"window\"}, got 1");
  CHECK(fault(stage(R"(,"reads":[{"buffer":"b","window":[0,1,2]}])")) ==
        "plan: /stages/0/reads/0/window: expected two integers, got an array");
  CHECK(fault(stage(R"(,"reads":[{"buffer":"b","window":[0,1.0]}])")) ==
        "plan: /stages/0/reads/0/window/1: expected an integer from -64 to 64, got 1.0");
  CHECK(fault(stage(R"(,"writes":[null])")) == "plan: /stages/0/writes/0: expected a name, got null");
  CHECK(fault(R"({"buffers":[[[[[[[[[[[]]]]]]]]]]],"stages":[]})").starts_with("plan: /buffers/0/0/0/0/0/0/0: nested"));
}

TEST_CASE("each limit holds at its last value and fails at the next") {
  const auto buffers = [](int n, const std::string& depth) {
    std::string out = "{\"buffers\":[";
    for (int i = 0; i < n; ++i)
      out += (i > 0 ? "," : "") + std::string("{\"name\":\"b") + std::to_string(i) + "\",\"depth\":" + depth + "}";
    return out + "],\"stages\":[]}";
  };
  const auto stages = [](int n) {
    std::string out = "{\"buffers\":[],\"stages\":[";
    for (int i = 0; i < n; ++i)
      out += (i > 0 ? "," : "") + std::string("{\"name\":\"s") + std::to_string(i) + "\",\"mode\":\"sync\"}";
    return out + "]}";
  };
  const auto reads = [](int n) {
    std::string out = ",\"reads\":[\"b\"";
    for (int i = 1; i < n; ++i) out += ",\"b\"";
    return stage(out + "]");
  };
  const auto named = [](const std::string& s) {
    return R"({"buffers":[{"name":")" + s + R"(","depth":1}],"stages":[]})";
  };
  const auto repeated = [](const char* s, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += s;
    return out;
  };
  const std::string fine = "read without complaint";
  const auto good_then_bad = [&](const std::string& last, const std::string& next, const std::string& place) {
    CHECK(fault(last) == fine);
    CHECK(fault(next).starts_with("plan: " + place + ": "));
  };
  good_then_bad(buffers(16, "1"), buffers(17, "1"), "/buffers");
  good_then_bad(stages(16), stages(17), "/stages");
  good_then_bad(reads(16), reads(17), "/stages/0/reads");
  good_then_bad(buffers(1, "65536"), buffers(1, "65537"), "/buffers/0/depth");
  good_then_bad(buffers(1, "0"), buffers(1, "-1"), "/buffers/0/depth");
  good_then_bad(stage(",\"skew\":4096"), stage(",\"skew\":4097"), "/stages/0/skew");
  good_then_bad(stage(",\"order\":-4096"), stage(",\"order\":-4097"), "/stages/0/order");
  good_then_bad(stage(",\"issue\":0"), stage(",\"issue\":-0.001"), "/stages/0/issue");
  good_then_bad(stage(",\"latency\":1e12"), stage(",\"latency\":1.1e12"), "/stages/0/latency");
  good_then_bad(stage(R"(,"reads":[{"buffer":"b","window":[-64,64]}])"),
                stage(R"(,"reads":[{"buffer":"b","window":[-65,64]}])"), "/stages/0/reads/0/window/0");
  good_then_bad(named(repeated("é", 64)), named(repeated("é", 65)), "/buffers/0/name");
  good_then_bad(named("a"), named(""), "/buffers/0/name");
  good_then_bad(named("a b"), named("a\\nb"), "/buffers/0/name");
  good_then_bad(named("a b"), named("a\\u001b[31mb"), "/buffers/0/name");
  for (const char* huge : {"18446744073709551615", "18446744073709551616", "-9223372036854775808", "1e30"}) {
    CHECK(fault(buffers(1, huge)).starts_with("plan: /buffers/0/depth: expected an integer from 0 to 65536"));
    CHECK(fault(stage(std::string(",\"skew\":") + huge)).starts_with("plan: /stages/0/skew: "));
  }
}

TEST_CASE("a message is one line however hostile the file") {
  for (const std::string& s : {std::string("{\"a\\n\\u001b\":1}"), "{\"" + std::string(100'000, 'k') + "\":1}",
                               std::string(1'000'000, '['), std::string("\n\n\x01")}) {
    const std::string message = fault(s);
    CHECK(message.starts_with("plan: "));
    CHECK(message.size() < 300);
    for (char c : message) CHECK(static_cast<unsigned char>(c) >= 0x20);
  }
}
