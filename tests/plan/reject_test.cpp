// What is found; tests/compile_fail shows what the compilers print of it.
#include <penstock/plan/bindings.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace penstock;

namespace {

using x = buffer<"x", float[3], depth<2>>;
using get = stage<"get", async, writes<"x">>;
using put = stage<"put", async, reads<"x">>;

struct skewed {
  static constexpr auto plan = [] {
    auto p = pipeline<x, get, put>::plan;
    p.agents.count = 1;
    p.stages[1].agent = 0;
    p.stages[1].skew = 3;
    return p;
  }();
};
struct straight {
  static constexpr auto plan = pipeline<x, get, put>::plan;
};

struct device {
  static constexpr target_limits limits{.name = "device", .shared_bytes = 4096};
  static constexpr slot_limits slots{.name = "device", .multiple = 16, .alignment = 128};
};

struct copier {
  static constexpr target_limits limits{.name = "device"};
  static constexpr slot_limits slots{.name = "device", .single = true};
};

template <class Reasons>
std::vector<std::string> rules() {
  std::vector<std::string> out;
  for (const problem& p : Reasons::found) out.emplace_back(p.rule);
  return out;
}
template <class P, class Target = any_target>
std::vector<std::string> rules_of = rules<detail::plan_reasons<P, Target>>();

using strings = std::vector<std::string>;

}  // namespace

TEST_CASE("a sound plan is accepted") {
  using line = pipeline<x, get, put>;
  static_assert(sound<line> && accepted<line>);
  CHECK(rules_of<line>.empty());
}

TEST_CASE("three reasons at most, in the order in which to mend them") {
  using line = pipeline<x, buffer<"y", int, depth<0>>, buffer<"z", int, depth<0>>, get>;
  static_assert(!sound<line>);
  CHECK(rules_of<line> == strings{"never-read", "depth", "unused"});
}

TEST_CASE("an unknown name hides what would follow from it") {
  using line = pipeline<x, get, stage<"put", async, reads<"y">>>;
  static_assert(!sound<line>);
  CHECK(rules_of<line> == strings{"unknown-name"});
}

TEST_CASE("a mapped plan needs no more than the plan") {
  CHECK(rules_of<skewed> == strings{"depth"});
  static_assert(sound<straight>);
}

TEST_CASE("a target limits shared memory and slots") {
  using fits = pipeline<buffer<"x", float[256], depth<4>>, get, put>;
  using too_deep = pipeline<buffer<"x", float[256], depth<5>>, get, put>;
  static_assert(sound<fits, device> && sound<too_deep>);
  CHECK(rules_of<too_deep, device> == strings{"shared-memory"});
}

TEST_CASE("only what an async stage moves must suit an async copy, and is named once a stage") {
  using uneven = pipeline<x, get, put>;
  static_assert(sound<uneven>);
  CHECK(rules_of<uneven, device> == strings{"slot-bytes", "slot-bytes"});
  using computed = pipeline<x, stage<"get", sync, writes<"x">>, stage<"put", sync, reads<"x">>>;
  static_assert(sound<computed, device>);
  using in_place = pipeline<x, stage<"get", sync, writes<"x">>, stage<"add", async, updates<"x">>>;
  CHECK(rules_of<in_place, device> == strings{"slot-bytes"});
}

TEST_CASE("where async stages are copies, each moves one slot") {
  using y = buffer<"y", int, depth<4>>;
  using get_both = stage<"get both", async, writes<"x">, writes<"y">>;
  using put_both = stage<"put both", async, reads<"x">, reads<"y">>;
  static_assert(sound<pipeline<x, get, put>, copier>);
  using earlier = stage<"put", async, reads<"y", window<-2, -2>>>;
  static_assert(sound<pipeline<y, stage<"get", async, writes<"y">>, earlier>, copier>);
  using add = stage<"add", async, reads<"x">, writes<"y">>;
  static_assert(sound<pipeline<x, y, get, add, stage<"put", async, reads<"y">>>, copier>);
  CHECK(rules_of<pipeline<x, y, get_both, put_both>, copier> == strings{"moves-many", "moves-many"});
  CHECK(rules_of<pipeline<x, get, put, stage<"idle", async>>, copier> == strings{"moves-nothing"});
  using several = stage<"put", async, reads<"y", window<-1, 1>>>;
  CHECK(rules_of<pipeline<y, stage<"get", async, writes<"y">>, several>, copier> == strings{"moves-many"});
  // a schedule is judged as such: what moves the data is no part of it
  static_assert(sound<pipeline<x, y, get_both, put_both, stage<"idle", async>>>);
}

TEST_CASE("no slot is aligned more strictly than the target aligns it") {
  struct alignas(256) tile {
    char bytes[256];
  };
  using aligned = pipeline<buffer<"x", tile, depth<2>>, stage<"get", sync, writes<"x">>, put>;
  static_assert(sound<aligned>);
  CHECK(rules_of<aligned, device> == strings{"slot-alignment"});
}

TEST_CASE("each stage gets one body, and no other stage does") {
  using line = pipeline<x, get, put>;
  static_assert(accepted_bindings<line, name("put"), name("get")>);
  CHECK(rules<detail::binding_reasons<line, name("get"), name("got")>>() == strings{"unknown-stage", "not-bound"});
  CHECK(rules<detail::binding_reasons<line, name("put"), name("put"), name("put"), name("get")>>() ==
        strings{"bound-twice"});
  CHECK(rules<detail::binding_reasons<line>>() == strings{"not-bound", "not-bound"});
}

TEST_CASE("a body is told what it gets, in declared order, and what it must return") {
  using add = stage<"add", sync, writes<"z">, agent<"all">, updates<"y">, reads<"x", window<-1, 1>>>;
  static_assert(accepted_parameters<add, body_kind::compute, true> && accepted_result<add, body_kind::copy_out, true>);
  CHECK(detail::parameters_reason<add, body_kind::compute>::message.view() ==
        "the body of stage 'add' cannot be called with what it gets: a group, buffer 'z', buffer 'y', buffer 'x', "
        "the iteration");
  CHECK(detail::parameters_reason<get, body_kind::copy_in>::message.view() ==
        "the body of stage 'get' cannot be called with what it gets: the iteration");
  CHECK(detail::result_reason<add, body_kind::compute>::message.view() ==
        "the body of stage 'add' must return nothing, or go or stop");
  CHECK(detail::result_reason<get, body_kind::copy_in>::message.view() ==
        "the body of stage 'get' must return what to copy: from(...)");
  CHECK(detail::result_reason<put, body_kind::copy_out>::message.view() ==
        "the body of stage 'put' must return what to copy: to(...)");
}
