// What every thread does in one scenario, event by event: the common input of all checkers.
#pragma once

#include <penstock/check/table.hpp>

#include <string>
#include <vector>

namespace penstock::check {

enum class act : unsigned char {
  begin,        // the stage's instance starts here, on this thread
  load,         // generic read of slot `where`, which must hold `value`; weight 1: by the loop, not by the stage's body
  store,        // generic write of `value` to slot `where`
  issue,        // asynchronous copy number `where` starts
  wait,         // until phase `value` of signal `where` has completed
  arrive,       // `weight` arrivals on signal `where`, meant for its phase `value`
  expect,       // one arrival, and `weight` bytes to come in this phase
  commit,       // close the group of the copies this thread issued by `engine`
  wait_groups,  // until at most `value` groups of this thread's cp.async copies are incomplete
  wait_reads,   // until at most `value` groups of this thread's bulk copies still read
  wait_writes,  // until at most `value` groups of this thread's bulk copies are incomplete
  fence,        // order this thread's accesses before later ones of the async proxy
  meet,         // barrier of the threads in group `where`
  set,          // write word `where`
  see,          // read word `where` and find it written
  miss,         // read word `where` and find it not yet written
  peek,         // read word `where`: what the thread does is the same for either outcome
  need          // what the thread does from here on relies on an earlier peek having found word `where` written
};

struct event {
  act what = act::begin;
  engine_kind engine = engine_kind::body;
  short stage = -1;
  short on = -1;
  int step = 0;
  int instance = -1;  // counted over the pipeline's life
  int where = -1;
  int value = 0;
  int weight = 0;
  constexpr bool operator==(const event&) const = default;
};

// What a slot holds: the instance of the stage that wrote it last. 0: nothing yet.
inline constexpr int most_stages = 64;
constexpr int version_of(int stage, int instance) { return instance * most_stages + stage + 1; }
constexpr int stage_of(int version) { return (version - 1) % most_stages; }
constexpr int instance_of(int version) { return (version - 1) / most_stages; }

struct slot_access {
  int where = -1;
  int value = 0;
};

struct async_copy_op {
  engine_kind engine = engine_kind::bulk_in;
  int stage = -1;
  int instance = -1;
  int signal = -1;  // that its bytes arrive on; -1: its thread waits for its group
  int phase = 0;
  int bytes = 0;
  std::vector<slot_access> loads;
  std::vector<slot_access> stores;
};

struct modelled_thread {
  int agent = 0;
  std::string name;
  bool first_warp = true;
  bool elected = true;
  int weight = 1;  // warps it stands for
  std::vector<event> events;
};

struct signal_info {
  int stage = -1;
  int slot = 0;
  int arrivals = 1;
  int phases = 0;  // that complete in this scenario
};

struct slot_info {
  int buffer = -1;
  int slot = 0;
};

struct program {
  std::vector<modelled_thread> threads;
  std::vector<signal_info> signals;
  std::vector<slot_info> slots;
  std::vector<async_copy_op> copies;
  std::vector<std::vector<int>> groups;  // the threads of each barrier: agents, then first warps, then the block
  int words = 0;
  std::string inconsistency;             // what the threads' programs already show to be wrong
};

// One run of a pipeline. A scenario is a sequence of runs on one object.
struct run_case {
  int n = 0;         // iterations; where a source yields them, it then says that there are no more
  int stopper = -1;  // the stage that asks to stop; -1: none does
  int stop_at = -1;  // after this instance of it
  int seen_at = -1;  // the first of its looks at which the agent that copies in finds that out; -1: none
};

using scenario = std::vector<run_case>;

}  // namespace penstock::check
