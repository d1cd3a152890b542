// Each rule and the sentence that it gives.
#include "plan/plan_text.hpp"
#include "plan/random_plan.hpp"
#include "support/properties.hpp"

#include <penstock/plan/problems.hpp>

#include <doctest/doctest.h>

#include <set>

namespace {

using plan_text::any_plan;
using plan_text::parse;

template <class Plan>
std::string problems(const Plan& p, const penstock::target_limits& target = {}) {
  std::string all;
  for (const auto& found : penstock::find_problems<8>(p, target))
    all += std::string(found.rule) + ": " + std::string(found.message.view()) + "\n";
  return all;
}

const std::string line = "buffer in depth 4\n"
                         "buffer out depth 2\n"
                         "stage read async writes in\n"
                         "stage compute sync reads in writes out\n"
                         "stage write async reads out\n";

}  // namespace

TEST_CASE("a sound plan has no problem") { CHECK(problems(parse(line)) == ""); }

TEST_CASE("a plan without stages") {
  CHECK(problems(any_plan{}) == "empty: the plan has no stages; a pipeline needs at least one\n");
}

TEST_CASE("names that say nothing") {
  CHECK(problems(parse("buffer in depth 1\nstage a sync writes in\nstage a sync agent b reads in")) ==
        "duplicate-name: two stages are named 'a'; give each its own name\n");
  any_plan p = parse(line);
  p.buffers[1].name = "in";
  CHECK(problems(p) == "duplicate-name: two buffers are named 'in'; give each its own name\n");
}

TEST_CASE("an access stated twice") {
  CHECK(problems(parse("buffer in depth 4\nstage read async writes in\nstage sum sync reads in in[-1,0]")) ==
        "duplicate-access: stage 'sum' reads buffer 'in' twice; give it one read with one window\n");
  CHECK(problems(parse("buffer in depth 4\nstage read async writes in in\nstage sum sync reads in")) ==
        "duplicate-access: stage 'read' writes buffer 'in' twice; name it once\n");
}

TEST_CASE("an agent of two sizes") {
  any_plan p = parse("buffer in depth 4\nstage get sync agent w writes in\nstage sum sync agent w reads in");
  p.stages[0].warps = 2;
  CHECK(problems(p) == "");
  p.stages[1].warps = 4;
  CHECK(problems(p) ==
        "agent-warps: agent 'w' has 2 warps for stage 'get' but 4 for 'sum'; state one number, or state it once\n");
}

TEST_CASE("a depth that no ring has") {
  any_plan p = parse(line);
  p.buffers[0].depth = 0;
  CHECK(problems(p) == "depth: buffer 'in' has depth 0; a ring has 1 to 65536 slots\n");
  p.buffers[0].depth = 65537;
  CHECK(problems(p) == "depth: buffer 'in' has depth 65537; a ring has 1 to 65536 slots\n");
  p.buffers[0].depth = 65536;
  CHECK(problems(p) == "");
}

TEST_CASE("an automatic depth that no time decides") {
  any_plan p = parse(line);
  p.buffers[0].depth = penstock::automatic;
  CHECK_FALSE(penstock::choose_automatic_depths(p));
  CHECK(problems(p) == "depth: the depth of buffer 'in' is automatic, but no stage states a time that occupies its "
                       "agent; give the stages timing<issue, latency> or the buffer a depth\n");
}

TEST_CASE("an automatic depth beyond what a ring has, whatever the depth of others") {
  any_plan p = parse("buffer out depth 1\nbuffer in depth 1\n"
                     "stage read async writes in takes 1 1000000\n"
                     "stage compute sync reads in writes out takes 1 0\n"
                     "stage write async reads out takes 1 1000000");
  for (int b : {0, 1}) p.buffers[b].depth = penstock::automatic;
  CHECK(penstock::choose_automatic_depths(p));
  CHECK(problems(p) == "depth: buffer 'out' has depth 65537; a ring has 1 to 65536 slots\n");
}

TEST_CASE("a window or a skew beyond what distances can tell from no path at all") {
  CHECK(problems(parse("buffer in depth 200\nstage read async writes in\nstage sum sync reads in[64,64]")) == "");
  CHECK(problems(parse("buffer in depth 200\nstage read async writes in\nstage sum sync reads in[65,65]")) ==
        "window: stage 'sum' reads window [65,65] of buffer 'in', outside -64 to 64\n");
  CHECK(problems(parse("buffer in depth 200\nstage read async writes in\nstage sum sync reads in[-300000000,0]")) ==
        "window: stage 'sum' reads window [-300000000,0] of buffer 'in', outside -64 to 64\n");
  CHECK(problems(parse("buffer in depth 4\nstage read async skew 131072 writes in\nstage sum sync reads in")) == "");
  CHECK(problems(parse("buffer in depth 4\nstage read async skew -300000000 writes in\nstage sum sync reads in")) ==
        "skew: stage 'read' states skew -300000000, outside -131072 to 131072\n");
}

TEST_CASE("buffers that miss a reader or a writer") {
  CHECK(problems(parse("buffer in depth 4\nstage sum sync reads in")) ==
        "never-written: buffer 'in' is read but no stage writes it\n");
  CHECK(problems(parse("buffer in depth 4\nstage read async writes in")) ==
        "never-read: buffer 'in' is written but no stage reads it\n");
  CHECK(problems(parse(line + "buffer spare depth 1")) ==
        "unused: buffer 'spare' is neither read nor written by any stage\n");
}

TEST_CASE("times that cannot be") {
  const std::string refused = "timing: stage 'compute' states a time outside 0 to 1000000000000 nanoseconds\n";
  for (const double ns : {-1.0, 1.1e12, std::numeric_limits<double>::quiet_NaN()}) {
    any_plan p = parse(line);
    p.stages[1].issue_ns = ns;
    CHECK(problems(p) == refused);
    p.stages[1].issue_ns = 0;
    p.stages[1].latency_ns = ns;
    CHECK(problems(p) == refused);
  }
  any_plan p = parse(line);
  p.stages[1].latency_ns = 1e12;
  CHECK(problems(p) == "");
}

TEST_CASE("a window that ends before it begins") {
  CHECK(problems(parse("buffer in depth 4\nstage read async writes in\nstage sum sync reads in[1,-1]")) ==
        "window: stage 'sum' reads window [1,-1] of buffer 'in'; the first offset must not exceed the last\n");
}

TEST_CASE("a read before any write") {
  CHECK(problems(parse("buffer x depth 4\nstage sum sync reads x[-1,0]\nstage read async writes x")) ==
        "read-before-write: stage 'sum' reads buffer 'x' at offset 0 before any stage declared earlier writes it\n");
  CHECK(problems(parse("buffer x depth 4\nstage sum sync reads x writes x")) ==
        "read-before-write: stage 'sum' reads buffer 'x' at offset 0 before any stage declared earlier writes it\n");
  CHECK(problems(parse("buffer x depth 4\nstage sum sync reads x[-2,-1]\nstage read async writes x")) == "");
}

TEST_CASE("a look-ahead that a later stage writes over") {
  CHECK(problems(parse("buffer x depth 4\nstage read async writes x\nstage blur sync reads x[0,2]\n"
                       "stage scale sync reads x writes x")) ==
        "look-ahead: stage 'blur' looks 2 ahead in buffer 'x', which the later stage 'scale' also writes\n");
}

TEST_CASE("a window wider than its buffer") {
  CHECK(problems(parse("buffer in depth 2\nstage read async writes in\nstage blur sync reads in[-1,1]")) ==
        "window-depth: stage 'blur' reads window [-1,1] of buffer 'in', 3 slots, but its depth is 2; the smallest "
        "depth that works is 3\n");
  // another deadlock hides how deep is deep enough
  CHECK(problems(parse("buffer in depth 2\nbuffer out depth 1\nstage read async agent a writes in\n"
                       "stage blur sync agent a skew 1 reads in[-1,1] writes out\n"
                       "stage write sync agent a skew 3 reads out")) ==
        "window-depth: stage 'blur' reads window [-1,1] of buffer 'in', 3 slots, but its depth is 2; depth 3 is the "
        "least such a window can do with\n");
}

TEST_CASE("one buffer too shallow for the schedule") {
  CHECK(problems(parse("buffer B depth 1\nbuffer C depth 2\nstage S0 sync agent a writes B\n"
                       "stage S1 sync agent a skew 1 reads B writes C\nstage S2 sync agent a skew 2 reads C")) ==
        "depth: buffer 'B' has depth 1; the smallest depth that works is 2: cycle of distance 0: 'S1' -> 'S0' (WAR on "
        "'B' 1) -> 'S1' (program order -1)\n");
}

TEST_CASE("several buffers too shallow for the schedule") {
  CHECK(problems(parse("buffer B depth 1\nbuffer C depth 1\nstage S0 sync agent a writes B\n"
                       "stage S1 sync agent a skew 1 reads B writes C\nstage S2 sync agent a skew 3 reads C")) ==
        "depth: buffer 'B' has depth 1; the smallest depth that works is 2: cycle of distance 0: 'S1' -> 'S0' (WAR on "
        "'B' 1) -> 'S1' (program order -1)\n"
        "depth: buffer 'C' has depth 1; the smallest depth that works is 3: cycle of distance -1: 'S2' -> 'S1' (WAR on "
        "'C' 1) -> 'S2' (program order -2)\n");
}

TEST_CASE("a deadlock that no depth resolves") {
  CHECK(problems(parse("buffer x depth 2\nstage get sync agent all order 1 writes x\n"
                       "stage add sync agent all order 0 reads x")) ==
        "deadlock: these stages wait for each other, cycle of distance 0 (must be positive): 'add' -> 'get' (program "
        "order 0) -> 'add' (RAW on 'x' 0)\n");
}

TEST_CASE("more bytes than one barrier phase counts") {
  CHECK(problems(parse("buffer x depth 2 bytes 1048575\nstage get async writes x\nstage add sync reads x")) == "");
  CHECK(problems(parse("buffer x depth 2 bytes 1048000\nbuffer y depth 2 bytes 576\nstage get async writes x y\n"
                       "stage add sync reads x y")) ==
        "phase-bytes: async stage 'get' writes 1048576 bytes an iteration; one barrier phase counts at most 1048575\n");
  CHECK(problems(parse("buffer x depth 2 bytes 1048576\nstage get sync writes x\nstage add sync reads x")) == "");
}

TEST_CASE("more shared memory than the target has") {
  const any_plan p = parse("buffer x depth 3 bytes 65536\nbuffer y depth 1 bytes 30000\nstage get async writes x y\n"
                           "stage add sync reads x y");
  CHECK(problems(p) == "");
  CHECK(problems(p, {"sm_90", 226608}) == "");
  CHECK(problems(p, {"sm_90", 226607}) ==
        "shared-memory: the buffers take 226608 bytes of shared memory; sm_90 has 226607 a block\n");
}

TEST_CASE("problems beyond the room for them are left out, the first ones kept") {
  any_plan p;
  for (const char* name : {"a", "b", "c"}) p.buffers.add({name});
  p.stages.add({.name = "idle"});
  const auto found = penstock::find_problems<2>(p);
  REQUIRE(found.size() == 2);
  CHECK(found[0].message.view() == "buffer 'a' is neither read nor written by any stage");
  CHECK(found[1].message.view() == "buffer 'b' is neither read nor written by any stage");
}

// What the sequential program says of every read in the middle of a long run.
TEST_CASE("accesses are refused iff the sequential program gives them no meaning") {
  CHECK(properties::check(10000, "rules on accesses", [] {
    const penstock::small_plan p = *random_plan::with_any_accesses();
    std::set<std::string> expected, found;
    for (int b = 0; b < p.buffers.size(); ++b) {
      int readers = 0, writers = 0;
      for (int r = 0; r < p.stages.size(); ++r) {
        writers += p.stages[r].writes_to(b);
        for (const auto& read : p.stages[r].reads) {
          if (read.buffer != b) continue;
          ++readers;
          for (int offset = read.window.first; offset <= read.window.last; ++offset) {
            bool any = false, value = false, overwritten = false, by_body = false;
            for (int w = 0; w < p.stages.size(); ++w) {
              if (!p.stages[w].writes_to(b)) continue;
              any = true;
              value = value || offset < 0 || w < r;
              overwritten = overwritten || (offset > 0 && w > r);
              by_body = by_body || (offset > 0 && w < r && !p.stages[w].prefetches);
            }
            if (any && !value) expected.insert("read-before-write");
            if (overwritten) expected.insert("look-ahead");
            // a stop at this iteration leaves the later ones to nobody but the copies in
            for (const auto& s : p.stages) if (s.stops && by_body) expected.insert("look-past-stop");
          }
        }
      }
      if (readers == 0) expected.insert(writers == 0 ? "unused" : "never-read");
      else if (writers == 0) expected.insert("never-written");
    }
    const auto problems = penstock::find_problems<64>(p);
    for (const auto& problem : problems) found.emplace(problem.rule);
    if (expected.empty()) {
      RC_ASSERT(problems.empty() == !penstock::find_deadlock(p).found());
      for (const std::string& rule : found) RC_ASSERT(rule == "depth" || rule == "window-depth" || rule == "deadlock");
    } else {
      RC_ASSERT(found == expected);
    }
  }));
}
