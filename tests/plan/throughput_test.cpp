// The steady period, against closed forms, against every cycle there is, and against a simulated run.
#include "plan/random_plan.hpp"
#include "plan/unrolled.hpp"
#include "support/properties.hpp"

#include <penstock/plan/throughput.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <sstream>


namespace {

using penstock::critical_cycle;
using penstock::period_ns;
using penstock::small_plan;
using plan_text::any_plan;
using plan_text::parse;

any_plan three_agents(int in_depth, int out_depth, const std::string& read, const std::string& compute,
                      const std::string& write) {
  return parse("buffer in depth " + std::to_string(in_depth) + "\nbuffer out depth " + std::to_string(out_depth) +
               "\nstage read async writes in takes " + read +
               "\nstage compute sync reads in writes out takes " + compute +
               "\nstage write async reads out takes " + write);
}

double completion(const penstock::stage_info<4>& s) {
  return s.mode == penstock::mode::sync ? std::max(s.issue_ns, s.latency_ns) : s.latency_ns;
}
double occupancy(const penstock::stage_info<4>& s) {
  return s.mode == penstock::mode::sync ? std::max(s.issue_ns, s.latency_ns) : s.issue_ns;
}

struct step { int from, to, distance; double time; };

std::vector<step> steps_of(const small_plan& p) {
  std::vector<step> steps;
  for (int u = 0; u < p.stages.size(); ++u)
    for (int v = 0; v < p.stages.size(); ++v)
      if (const int d = penstock::program_distance(p, u, v); d != penstock::never)
        steps.push_back({u, v, d, occupancy(p.stages[u])});
  for (const penstock::guard& g : penstock::derive_guards<512>(p).needed)
    steps.push_back({g.on, g.waiter, g.distance, completion(p.stages[g.on])});
  return steps;
}

// The largest ratio of time to distance over all simple cycles, tried one by one.
void try_cycles(const std::vector<step>& steps, std::vector<bool>& seen, int start, int at, double time, int distance,
                double& worst) {
  for (const step& s : steps) {
    if (s.from != at) continue;
    if (s.to == start) worst = std::max(worst, (time + s.time) / (distance + s.distance));
    if (s.to <= start || seen[std::size_t(s.to)]) continue;
    seen[std::size_t(s.to)] = true;
    try_cycles(steps, seen, start, s.to, time + s.time, distance + s.distance, worst);
    seen[std::size_t(s.to)] = false;
  }
}

double slowest_of_all_cycles(const small_plan& p) {
  const std::vector<step> steps = steps_of(p);
  double worst = 0;
  std::vector<bool> seen(std::size_t(p.stages.size()));
  for (int s = 0; s < p.stages.size(); ++s) try_cycles(steps, seen, s, s, 0, 0, worst);
  return worst;
}

// When each instance of a run of n iterations is issued, if everything happens as early as it may.
std::vector<std::vector<double>> simulate(const small_plan& p, int n) {
  const auto guards = penstock::derive_guards<512>(p).needed;
  std::vector<std::vector<double>> issued(std::size_t(p.stages.size()), std::vector<double>(std::size_t(n), -1));
  const auto when = [&](int s, int i) -> double& { return issued[std::size_t(s)][std::size_t(i)]; };
  for (bool moved = true; moved;) {
    moved = false;
    for (int i = 0; i < n; ++i)
      for (int s = 0; s < p.stages.size(); ++s) {
        if (when(s, i) >= 0) continue;
        double start = 0;
        bool ready = true;
        const auto await = [&](int t, int j, double time) {
          if (j < 0) return;
          if (when(t, j) < 0) ready = false;
          else start = std::max(start, when(t, j) + time);
        };
        for (int t = 0; t < p.stages.size(); ++t)
          if (const int d = penstock::program_distance(p, t, s); d != penstock::never)
            await(t, std::min(i - d, n - 1), occupancy(p.stages[t]));
        for (const auto& g : guards)
          if (g.waiter == s)
            for (int j = 0; j <= std::min(i - g.distance, n - 1); ++j) await(g.on, j, completion(p.stages[g.on]));
        if (!ready) continue;
        when(s, i) = start;
        moved = true;
      }
  }
  return issued;
}

}  // namespace

TEST_CASE("read, compute and write, an agent each: max(t, C, ts, (L+C)/D1, (C+Ls)/D2)") {
  for (int d1 = 1; d1 <= 6; ++d1)
    for (int d2 = 1; d2 <= 6; ++d2)
      for (const double latency : {40., 499., 500., 2000.})
        for (const double compute : {10., 100., 700.}) {
          std::ostringstream read, work;
          read << 20 << " " << latency;
          work << compute << " 0";
          const double expected =
              std::max({20., compute, 30., (latency + compute) / d1, (compute + 300.) / d2});
          CHECK(period_ns(three_agents(d1, d2, read.str(), work.str(), "30 300")) == expected);
        }
}

TEST_CASE("two async stages of one agent: issue, RAW, WAR and the whole lap bound the period") {
  for (int s = 0; s <= 3; ++s)
    for (const int producer_first : {0, 1})
      for (int depth = std::max(1, s + producer_first); depth <= 6; ++depth)
        for (const double lp : {30., 400.})
          for (const double lc : {20., 90., 1000.}) {
            if (s == 0 && !producer_first) continue;  // the consumer would run before what it reads
            std::ostringstream text;
            text << "buffer b depth " << depth << "\nstage p async agent a order " << 1 - producer_first
                 << " writes b takes 7 " << lp << "\nstage c async agent a skew " << s << " order " << producer_first
                 << " reads b takes 11 " << lc;
            const int slack = depth - s - producer_first;
            const double expected = std::max({7. + 11., (lp + 11) / (s + producer_first), (lc + 7) / (slack + 1),
                                              (lp + lc) / depth});
            CAPTURE(text.str());
            CHECK(period_ns(parse(text.str())) == expected);
          }
}

TEST_CASE("a sync stage holds its agent for the longer of its two times") {
  CHECK(period_ns(parse("buffer b depth 2\nstage p sync agent a writes b takes 5 70\n"
                        "stage c sync agent a reads b takes 30 4")) == 100);
}

TEST_CASE("nothing bounds stages that take no time") {
  const any_plan p = three_agents(1, 1, "0 0", "0 0", "0 0");
  CHECK(period_ns(p) == 0);
  CHECK_FALSE(critical_cycle(p).found());
}

TEST_CASE("large times do not hide small differences") {
  // 10^12 + 1 over two against 10^12 + 3 over two: cycles through either buffer
  const any_plan p = three_agents(2, 2, "0 999999999999", "2 0", "0 999999999998");
  CHECK(period_ns(p) == 1000000000001. / 2);
  CHECK(critical_cycle(p).edges.size() == 2);
  CHECK(period_ns(three_agents(65536, 65535, "0 1000000000000", "0 0", "0 1000000000000")) == 1e12 / 65535);
}

TEST_CASE("the critical cycle names what bounds the period") {
  const auto c = critical_cycle(three_agents(4, 2, "20 500", "100 0", "30 300"));
  REQUIRE(c.edges.size() == 2);
  CHECK(c.time_ns == 400);
  CHECK(c.distance == 2);
  for (const auto& e : c.edges) CHECK(e.guarded);
  CHECK(c.edges[0].wait.buffer == 1);
  CHECK(c.edges[1].wait.buffer == 1);
  const auto busy = critical_cycle(three_agents(8, 8, "20 500", "200 0", "30 300"));
  REQUIRE(busy.edges.size() == 1);
  CHECK_FALSE(busy.edges[0].guarded);
  CHECK(busy.edges[0].from == 1);
}

TEST_CASE("no cycle is slower than the period, and the critical one is as slow") {
  CHECK(properties::check(10000, "maximum cycle ratio", [] {
    const small_plan p = *random_plan::with_sound_accesses();
    if (penstock::find_deadlock(p).found()) return;
    const auto c = critical_cycle(p);
    RC_ASSERT(c.period_ns() == slowest_of_all_cycles(p));
    int at = c.found() ? c.edges[0].from : -1;
    for (const auto& e : c.edges) {
      RC_ASSERT(e.from == at);
      at = e.to;
    }
    if (c.found()) RC_ASSERT(at == c.edges[0].from);
  }));
}

TEST_CASE("a run settles to the period") {
  CHECK(properties::check(500, "simulated period", [] {
    const small_plan p = *random_plan::with_sound_accesses();
    if (penstock::find_deadlock(p).found()) return;
    const auto c = critical_cycle(p);
    const int n = 120;
    const auto issued = simulate(p, n);
    double all = 0;
    for (const auto& s : p.stages) all += completion(s) + occupancy(s);
    for (const auto& at : issued)
      for (int i = 0; i < n; ++i) RC_ASSERT(at[std::size_t(i)] <= (i + 32) * c.period_ns() + all);
    if (!c.found()) return;
    // no lap of the critical cycle is ever shorter, once there is an instance before and after for every step of it
    const auto& bound = issued[std::size_t(c.edges[0].from)];
    for (int i = 40; i + c.distance < n - 40; ++i)
      RC_ASSERT(bound[std::size_t(i + c.distance)] - bound[std::size_t(i)] >= c.time_ns * (1 - 1e-12));
  }));
}
