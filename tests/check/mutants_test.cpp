// Every small way to break every table of the shapes: the checker must object. A step that can go without anybody
// noticing is one too many, unless it stands in the list of those that were looked at and kept.
#include "check/shapes.hpp"

#include <penstock/check/mutants.hpp>

#include <doctest/doctest.h>

#include <iostream>

using namespace penstock;
using check::fate;

namespace {

std::vector<check::scenario> scenarios_for(const check::table& t) {
  std::vector<check::scenario> all;
  const int most = check::enough_iterations(t);
  if (!t.stops()) {
    for (int n = 1; n <= most; ++n) all.push_back({{n}});
    for (int n = 1; n <= most / 2; ++n) all.push_back({{n}, {most / 2}, {1}});
    return all;
  }
  for (int n = 1; n <= 5; ++n)
    for (int s = 0; s < int(t.stages.size()); ++s)
      for (int at = 0; t.stages[s].stops && at < n; ++at)
        for (int look = -1; look < (t.agents.size() > 1 ? n * int(t.stages.size()) : 0); ++look)
          all.push_back({{n, s, at, look}, {1 + n % 4}});
  all.push_back({{most}, {most / 2}});
  return all;
}

struct kept_step {
  const char* what;  // in the mutant's description
  bool (*applies)(const check::table&, const check::mutant&);
  const char* reason;
};

bool warps_of_one(const check::table& t, const check::mutant& m) {
  for (const check::checked_agent& a : t.agents)
    if (a.warps == 1 && m.what.find(" " + a.name + ": barrier") != std::string::npos) return true;
  return false;
}
bool in_step_with_a_buffer(const check::table& t, const check::mutant& m) {
  for (std::size_t s = 0; s < t.stages.size(); ++s)
    for (const check::checked_buffer& b : t.buffers)
      if (t.stages[s].ring.slots == b.depth && m.broken.stages[s].ring.slots == b.depth - 1) return true;
  return false;
}
bool agrees_in_its_agent(const check::table& t, const check::mutant& m) {
  for (const check::checked_agent& a : t.agents)
    for (const step& e : a.loop)
      if (e.what == op::agree && m.what.find(" " + a.name + ": barrier") != std::string::npos) return true;
  return false;
}
bool meets_after_runs(const check::table& t, const check::mutant&) { return t.stops() || t.meets_between_runs; }
bool has_source(const check::table& t, const check::mutant&) { return t.source() >= 0; }
bool waits_for_all_groups(const check::table& t, const check::mutant&) {
  for (const check::checked_agent& a : t.agents)
    for (const step& e : a.loop) if (e.what == op::wait_groups && e.count > 0) return false;
  return t.target == backend::ampere;
}
bool looks_ahead_in_one_agent(const check::table& t, const check::mutant&) {
  for (const check::checked_agent& a : t.agents)
    for (const step& e : a.loop) if (e.distance < 0 && t.agents.size() == 1) return true;
  return false;
}

// Looked at one by one.
const kept_step reviewed[] = {
    {"one slot fewer: signal of", in_step_with_a_buffer,
     "a ring as long as a buffer shares the buffer's cursor: a register costs more than eight bytes"},
    {": barrier", warps_of_one,
     "the barrier of a single warp; what one lane does between them mostly makes the warp meet anyway, at no cost"},
    {", drain: wait_reads of", meets_after_runs,
     "once a run; where the block meets after the run or before the next, that is later still"},
    {": barrier", agrees_in_its_agent,
     "agreeing on the stop is a barrier, too, but not in steps where the stage that may stop has no instance"},
    {": commit of", waits_for_all_groups,
     "a group for each copy, whatever else the step copies; it matters once a group may stay pending"},
    {", drain: wait_", has_source,
     "the last instance carries the end and copies nothing, which the table does not know"},
    {"of 'f' on 'read'", looks_ahead_in_one_agent,
     "the look-ahead of the step before covers it, before the first instance by a wait that no instance makes"},
};

struct score {
  int killed = 0;
  int waits_more = 0;
  int kept = 0;
  int superfluous = 0;
  int left_out = 0;
};
score total;

void break_table(const shapes::named_table& t) {
  const std::vector<check::scenario> scenarios = scenarios_for(t.table);
  total.left_out += t.guards_left_out;
  for (const check::mutant& m : check::mutants_of(t.table)) {
    const fate f = check::judge(t.table, m.broken, scenarios);
    if (f == fate::killed) { ++total.killed; continue; }
    if (f == fate::waits_more) { ++total.waits_more; continue; }
    bool known = false;
    for (const kept_step& k : reviewed)
      known = known || (m.what.find(k.what) != std::string::npos && k.applies(t.table, m));
    if (known) { ++total.kept; continue; }
    ++total.superfluous;
    MESSAGE(t.name, ": superfluous, or not seen: ", m.what);
  }
}

void report(const char* what) {
  const int faults = total.killed + total.superfluous;
  std::cout << what << ": mutation score: killed " << total.killed << " of " << faults << " (" << total.left_out
            << " guards proven redundant and not emitted; " << total.kept << " redundant, kept for a reviewed reason; "
            << total.waits_more << " sound, but wait for more)" << std::endl;
  CHECK(total.killed > 0);
  CHECK(total.superfluous == 0);
  total = {};
}

}  // namespace

TEST_CASE("mutants of pipelines that run to their end are killed") {
  shapes::for_each_sound_table(break_table);
  report("to the end");
}

TEST_CASE("mutants of pipelines that take their work from a source are killed") {
  shapes::for_each_table<with_source<shapes::three<2, 2>>>("three<2, 2> from a source", break_table);
  report("from a source");
}

TEST_CASE("mutants of pipelines that stop are killed") {
  shapes::for_each_stopping_table(break_table);
  report("stopping");
}
