#include <penstock/plan/json.hpp>

#include <doctest/doctest.h>

using namespace penstock;

TEST_CASE("a pipeline prints the plan that explain's documentation shows") {
  using line = pipeline<buffer<"in", float[1024], depth<4>>, buffer<"out", float[1024], depth<2>>,
                        stage<"read", async, writes<"in">>,
                        stage<"compute", sync, reads<"in", window<-1, 1>>, writes<"out">>,
                        stage<"write", async, reads<"out">>>;
  CHECK(plan_json<line>() ==
        R"({"buffers":[{"name":"in","depth":4},{"name":"out","depth":2}],
 "stages":[{"name":"read","mode":"async","writes":["in"]},
           {"name":"compute","mode":"sync","reads":[{"buffer":"in","window":[-1,1]}],"writes":["out"]},
           {"name":"write","mode":"async","reads":["out"]}]})");
}

TEST_CASE("what differs from its default is printed, and nothing else") {
  using line = pipeline<buffer<"x", int, depth<3>>,
                        stage<"read", async, agent<"copies">, writes<"x">, timing<0, 700>>,
                        stage<"sum", sync, agent<"sum">, updates<"x">, timing<250, 0>, skew<0>>,
                        stage<"write", async, agent<"copies">, reads<"x", window<0, 0>>, skew<2>, order<0>>,
                        stage<"last", sync, reads<"x", window<-2, -1>>, order<3>>>;
  CHECK(plan_json<line>() ==
        R"({"buffers":[{"name":"x","depth":3}],
 "stages":[{"name":"read","mode":"async","agent":"copies","writes":["x"],"latency":700},
           {"name":"sum","mode":"sync","reads":["x"],"writes":["x"],"issue":250},
           {"name":"write","mode":"async","agent":"copies","skew":2,"order":0,"reads":["x"]},
           {"name":"last","mode":"sync","reads":[{"buffer":"x","window":[-2,-1]}]}]})");
}

TEST_CASE("names are escaped as JSON strings") {
  using line = pipeline<buffer<"a \"b\" \\ \n \x1f \xc3\xbc", int, depth<1>>, stage<"s\t", sync>>;
  CHECK(plan_json<line>() == "{\"buffers\":[{\"name\":\"a \\\"b\\\" \\\\ \\u000a \\u001f \xc3\xbc\",\"depth\":1}],\n"
                             " \"stages\":[{\"name\":\"s\\u0009\",\"mode\":\"sync\"}]}");
}

TEST_CASE("a plan that is not sound prints too, for explain to say why") {
  using line = pipeline<buffer<"x", int, depth<0>>, stage<"write", async, reads<"x", window<1, -1>>>>;
  CHECK_FALSE(sound<line>);
  CHECK(plan_json<line>() ==
        R"({"buffers":[{"name":"x","depth":0}],
 "stages":[{"name":"write","mode":"async","reads":[{"buffer":"x","window":[1,-1]}]}]})");
}

TEST_CASE("an automatic depth prints as the number it became, and as none where no time decides it") {
  using timed = pipeline<buffer<"x", int, depth<automatic>>, stage<"get", async, writes<"x">, timing<10, 90>>,
                         stage<"put", sync, reads<"x">, timing<0, 50>>>;
  CHECK(plan_json<timed>().find(R"({"name":"x","depth":3})") != std::string::npos);
  using untimed = pipeline<buffer<"x", int, depth<automatic>>, stage<"get", async, writes<"x">>,
                           stage<"put", sync, reads<"x">>>;
  CHECK(plan_json<untimed>().find(R"({"name":"x","depth":0})") != std::string::npos);
}

TEST_CASE("what a schedule has no place for is left out: who may stop, warps, the type of a slot") {
  using stops = pipeline<buffer<"x", int, depth<2>>, stage<"get", async, writes<"x">>,
                         stage<"sum", sync, reads<"x">, may_stop, agent<"sum", 4>>>;
  using runs_on = pipeline<buffer<"x", double[8], depth<2>>, stage<"get", async, writes<"x">>,
                           stage<"sum", sync, reads<"x">>>;
  CHECK(plan_json<stops>() == plan_json<runs_on>());
}

TEST_CASE("a plan value prints its times as the shortest numbers that read back the same") {
  plan<1, 1> p;
  p.agents.add("s");
  p.stages.add({.name = "s", .issue_ns = 0.1, .latency_ns = 1234567.5});
  CHECK(plan_json(p) == R"({"buffers":[],
 "stages":[{"name":"s","mode":"sync","issue":0.1,"latency":1234567.5}]})");
}
