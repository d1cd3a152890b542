// The printed lowering table: every plan can be lowered for every backend, or is refused with a place.
#include "lowering_text.hpp"

#include "input_error.hpp"
#include "lowering_table.hpp"
#include "plan/random_plan.hpp"
#include "support/properties.hpp"

#include <penstock/plan/json.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace penstock::command;
using penstock::backend;

namespace {

// How often a part stands in a text.
int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("random plans on every backend") {
  int lowered = 0, refused = 0;
  CHECK(properties::check(400, "the text has a line for each step of the table", [&] {
    const auto declared = *random_plan::with_sound_accesses();
    const parsed_plan p = parse_plan(penstock::plan_json(declared), "random");
    if (!penstock::find_problems<1>(p.value).empty()) return;
    for (backend target : {backend::hopper, backend::ampere, backend::portable, backend::host})
      for (bool uniform : {false, true}) {
        std::string text;
        try {
          text = lowering_text(p, "random", target, uniform);
        } catch (const input_error& e) {
          const std::string why = e.what();
          const bool known = why.starts_with("random: /buffers: deadlocks as ") ||
                             (why.starts_with("random: /stages: --lower: async stage '") &&
                              (why.find("neither reads nor writes") != why.npos ||
                               why.find("a copy moves one slot") != why.npos));
          RC_ASSERT(known);
          ++refused;
          continue;
        }
        ++lowered;
        const auto table = lower_plan(p.value, "random", target, uniform);
        int bodies = 0, barriers = 0, signals = 0;
        for (const auto& a : table->agents)
          for (const auto& part : {a.loop, a.drain})
            for (const penstock::step& s : part) {
              bodies += s.what == penstock::op::issue && table->engines[s.stage] == penstock::engine_kind::body;
              barriers += s.what == penstock::op::barrier;
              signals += s.what == penstock::op::signal;
            }
        RC_ASSERT(count(text, "run the function") == bodies);
        RC_ASSERT(count(text, "barrier of the agent") == barriers);
        RC_ASSERT(count(text, "signal completion") == signals);
        RC_ASSERT(count(text, "agent `") == table->agents.size());
        int rings = 0;
        for (const penstock::signal_ring& r : table->rings) rings += r.slots > 0 && target != backend::host;
        RC_ASSERT(count(text, " a phase\n") == rings);
        RC_ASSERT(count(text, "mbarrier.init") == (rings > 0));
        const bool prints_instructions = text.find(":: ") != text.npos || text.find("all lanes") != text.npos;
        RC_ASSERT(target != backend::host || !prints_instructions);
      }
  }));
  CHECK(properties::reached(lowered, 200));
  MESSAGE(lowered << " lowered, " << refused << " refused");
}
