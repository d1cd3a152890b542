// The largest plans that compilers must take within their default limits: 8 stages, 8 buffers, 16 slots each.
#pragma once

#include <penstock/lower/lower.hpp>
#include <penstock/plan/declare.hpp>

namespace eight_by_eight {

using namespace penstock;

using plan_8_8 = penstock::plan<8, 8>;

// Eight stages, async and sync in turn, each in an agent of its own or all in one.
constexpr plan_8_8 stages_and_buffers(bool own_agents) {
  constexpr std::string_view digits = "01234567";
  plan_8_8 p;
  for (int k = 0; k < 8; ++k) {
    p.buffers.add({digits.substr(std::size_t(k), 1), 16});
    p.agents.add(digits.substr(std::size_t(k), 1));
    stage_info<8> s;
    s.name = p.agents[k];
    s.mode = k % 2 == 0 ? mode::async : mode::sync;
    s.agent = own_agents ? k : 0;
    s.order = k;
    s.issue_ns = 10 + k;
    s.latency_ns = 300 - 20 * k;
    p.stages.add(s);
  }
  return p;
}

// Each stage writes its own buffer and reads a window of all earlier ones.
constexpr plan_8_8 reads_all(bool own_agents) {
  plan_8_8 p = stages_and_buffers(own_agents);
  for (int s = 0; s < 8; ++s) {
    p.stages[s].writes.add(s);
    for (int b = 0; b < s; ++b) p.stages[s].reads.add({b, own_agents ? reach{-1, 1} : reach{-1, 0}});
  }
  p.stages[7].writes.count = 0;
  p.buffers.count = 7;
  return p;
}

// Every stage writes all buffers, and all but the first read them: the most accesses there can be.
constexpr plan_8_8 updates_all(bool own_agents) {
  plan_8_8 p = stages_and_buffers(own_agents);
  for (int s = 0; s < 8; ++s)
    for (int b = 0; b < 8; ++b) {
      p.stages[s].writes.add(b);
      if (s > 0) p.stages[s].reads.add({b, {}});
    }
  return p;
}

using declared = pipeline<
    buffer<"a", float[1024], depth<16>>, buffer<"b", float[1024], depth<16>>, buffer<"c", float[1024], depth<16>>,
    buffer<"d", float[1024], depth<16>>, buffer<"e", float[1024], depth<16>>, buffer<"f", float[1024], depth<16>>,
    buffer<"g", float[1024], depth<16>>, buffer<"h", float[1024], depth<automatic>>,
    stage<"read a", async, writes<"a">, timing<20, 900>>, stage<"read b", async, writes<"b">, timing<20, 900>>,
    stage<"blur", sync, reads<"a", window<-2, 2>>, writes<"c">, timing<100, 100>>,
    stage<"mix", sync, reads<"b">, reads<"c">, writes<"d">, timing<120, 120>>,
    stage<"scale", sync, updates<"d">, writes<"e">, timing<60, 60>>,
    stage<"split", sync, reads<"d">, reads<"e", window<-1, 1>>, writes<"f">, writes<"g">, timing<110, 110>>,
    stage<"join", sync, reads<"f">, reads<"g">, writes<"h">, timing<70, 70>>,
    stage<"write", async, reads<"h">, timing<30, 650>>>;

struct apart_reads { static constexpr plan_8_8 plan = reads_all(true); };
struct together_reads { static constexpr plan_8_8 plan = reads_all(false); };
struct apart_updates { static constexpr plan_8_8 plan = updates_all(true); };
struct together_updates { static constexpr plan_8_8 plan = updates_all(false); };

template <class P>
inline constexpr auto guards = derive_guards<count_candidates(P::plan)>(P::plan);

// One constant each: compilers count the steps of every constant on its own.
template <class P>
struct worked_out {
  static constexpr auto problems = find_problems<4>(P::plan);
  static constexpr auto cycle = critical_cycle(P::plan);
  static constexpr auto depths = choose_depths(P::plan);
  static constexpr bool value = problems.empty() && !guards<P>.needed.empty() && cycle.found() &&
                                depths.size() == P::plan.buffers.size();
};

static_assert(worked_out<apart_reads>::value && worked_out<together_reads>::value);
static_assert(worked_out<apart_updates>::value && worked_out<together_updates>::value);
static_assert(worked_out<declared>::value);

// And what runs: the table, whoever issues the stages.
template <class P, class Mapping, backend Target>
inline constexpr auto table = lower<room_for_guards(P::plan), most_steps(P::plan), Mapping>(P::plan, Target);
static_assert(table<declared, specialised<8>, backend::hopper>.agents.size() == 3);
static_assert(table<declared, uniform<8>, backend::hopper>.agents.size() == 1);
static_assert(table<declared, uniform<8>, backend::ampere>.agents.size() == 1);

static_assert(period_ns(declared::plan) == 120 && declared::plan.buffers[7].depth == 6);

}  // namespace eight_by_eight
