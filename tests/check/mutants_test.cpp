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

// A mutant that is sound and waits for no more, and why the table is as it is.
struct reviewed {
  const char* what;  // in the mutant's description
  bool (*applies)(const check::table&, const check::mutant&);
  const char* reason;
  int seen = 0;
};

bool loses_a_step(const check::mutant& m) { return m.what.starts_with("without "); }
bool in_step_with_a_buffer(const check::table& t, const check::mutant& m) {
  for (std::size_t s = 0; s < t.stages.size(); ++s)
    for (const check::checked_buffer& b : t.buffers)
      if (t.stages[s].ring.slots == b.depth && m.broken.stages[s].ring.slots == b.depth - 1) return true;
  return false;
}
bool has_source(const check::table& t, const check::mutant&) { return t.source() >= 0; }
bool warps_of_one(const check::table& t, const check::mutant& m) {
  for (const check::checked_agent& a : t.agents)
    if (a.warps == 1 && m.what.find(" " + a.name + ": barrier") != std::string::npos) return true;
  return false;
}
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
bool always(const check::table&, const check::mutant&) { return true; }

// Numbers that could be smaller, to no effect on what waits for what.
reviewed same_effect[] = {
    {"one slot fewer: signal of", in_step_with_a_buffer,
     "a ring as long as a buffer shares the buffer's cursor: a register costs more than eight bytes"},
    {"one more pending: ", has_source, "the last group of a run from a source is empty, and waiting for it is free"},
};
// Steps that could go. None of them is a wait between agents, a fence or a signal.
reviewed kept[] = {
    {": barrier", warps_of_one,
     "a bar.warp.sync: the copies that the same warp starts make its lanes meet as well, in most steps"},
    {": commit of", waits_for_all_groups,
     "a group for each copy, whatever else the step copies: it matters once a group may stay pending"},
    {": wait_signal of 'f' on 'read'", looks_ahead_in_one_agent,
     "covered by the look-ahead of the step before; before the first instance, by a wait that no instance makes"},
    {"without the block's meeting between runs", always,
     "once a run of an object that runs again: that the guards hold without it is seen here, not derived for all runs"},
};

struct score {
  int killed = 0;
  int waits_more = 0;
  int same_effect = 0;
  int kept = 0;
  int superfluous = 0;
  int left_out = 0;
};
score total;

bool is_known(reviewed* first, reviewed* last, const check::table& t, const check::mutant& m) {
  for (reviewed* r = first; r != last; ++r)
    if (m.what.find(r->what) != std::string::npos && r->applies(t, m)) {
      ++r->seen;
      return true;
    }
  return false;
}

void break_table(const shapes::named_table& t) {
  const std::vector<check::scenario> scenarios = scenarios_for(t.table);
  total.left_out += t.guards_left_out;
  for (const check::mutant& m : check::mutants_of(t.table)) {
    const fate f = check::judge(t.table, m.broken, scenarios);
    if (f == fate::killed) {
      ++total.killed;
    } else if (f == fate::waits_more) {
      ++total.waits_more;
    } else if (!loses_a_step(m) && is_known(std::begin(same_effect), std::end(same_effect), t.table, m)) {
      ++total.same_effect;
    } else if (loses_a_step(m) && is_known(std::begin(kept), std::end(kept), t.table, m)) {
      ++total.kept;
    } else {
      ++total.superfluous;
      MESSAGE(t.name, ": superfluous, or not seen: ", m.what);
    }
  }
}

void report(const char* what) {
  const int good = total.killed + total.left_out, all = good + total.superfluous;
  std::cout << what << ": mutation score " << 100.0 * good / all << " % of " << all << ": " << total.killed
            << " killed, " << total.left_out << " guards proven redundant and not emitted, " << total.superfluous
            << " neither\n  beside these, " << total.waits_more << " sound but waiting for more, " << total.same_effect
            << " of a number with the same effect, " << total.kept << " steps reviewed and kept" << std::endl;
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

TEST_CASE("what was reviewed is still there") {
  for (const auto* list : {&kept[0], &same_effect[0]})
    for (const reviewed* r = list; r != (list == kept ? std::end(kept) : std::end(same_effect)); ++r) {
      std::cout << "reviewed: " << r->what << " (" << r->seen << "): " << r->reason << std::endl;
      INFO(r->what);
      CHECK(r->seen > 0);
    }
}
