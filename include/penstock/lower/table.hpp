// The lowering table: what each agent does in one step, in order, as plain data. The loops execute it, `explain` prints
// it, the checker proves it and the PTX lint compares it with the instructions that ship. No wait exists outside it.
#pragma once

#include <penstock/lower/backend.hpp>
#include <penstock/plan/guards.hpp>

namespace penstock {

// How a stage is carried out on a backend.
enum class engine_kind : unsigned char {
  body,       // threads run the user's function; complete when they return
  copy,       // threads move the bytes with loads and stores (memcpy on the host); complete when they return
  async_copy, // threads start cp.async; complete when their commit group is
  bulk_in,    // one lane starts a bulk copy into a slot; the hardware completes the stage's signal
  bulk_out,   // one lane starts a bulk copy out of a slot; complete, for reuse, when its bulk group has been read
  source      // one lane asks what to do next and writes it into its slot; complete when that returns
};

PENSTOCK_HD constexpr bool is_bulk(engine_kind k) { return k == engine_kind::bulk_in || k == engine_kind::bulk_out; }
PENSTOCK_HD constexpr bool runs_in_one_warp(engine_kind k) { return is_bulk(k) || k == engine_kind::source; }
PENSTOCK_HD constexpr bool is_async(engine_kind k) {
  return k == engine_kind::async_copy || k == engine_kind::bulk_in || k == engine_kind::bulk_out;
}

enum class op : unsigned char {
  wait_signal,  // until instance i - distance of stage `on` has signalled (mbarrier phase; counter on the host)
  wait_first,   // in the first step only: the same for instance -distance of the run, where it exists
  wait_groups,  // until at most `count` of this thread's cp.async groups are pending
  wait_reads,   // issuing lane: until at most `count` of its bulk groups still read shared memory
  wait_writes,  // issuing lane: until at most `count` of its bulk groups are incomplete
  barrier,      // all threads of the agent
  issue,        // start the stage's copy, or run its body
  agree,        // all threads of the agent: does any of them want to stop after this instance?
  commit,       // close the group of copies this instance started, also when it started none
  fence,        // every thread: order its accesses to shared memory before later ones of the async proxy
  signal        // the stage's instance i - distance is complete: its arrivals on the ring
};

struct step {
  op what = op::issue;
  int stage = -1;     // whose instance this belongs to: i = step - skew of this stage; -1 for barrier: every step
  int on = -1;        // wait_signal: the stage waited for
  int distance = 0;   // wait_signal, signal: how many instances back (negative: ahead)
  int count = 0;      // wait_groups, wait_reads, wait_writes: how many may stay pending
  int guard = -1;     // the guard this step serves, as an index into lowering::guards; -1 where it serves several
  constexpr bool operator==(const step&) const = default;
};

// The ring of completion signals of one stage: slot = instance mod slots, parity = (instance / slots) & 1.
struct signal_ring {
  int slots = 0;      // 0: nobody waits for this stage's signal
  int arrivals = 0;   // per instance; an engine's bytes come on top
  int first = 0;      // index of its slot 0 among all rings
};

template <int Steps>
struct agent_program {
  std::string_view name{};
  int first_warp = 0;
  int warps = 0;
  int last_skew = 0;             // the agent runs steps 0 … n - 1 + last_skew
  list<step, Steps> loop{};      // every step
  list<step, Steps> drain{};     // once, after the last step: distance counts back from one past the last instance
};

template <int S, int B, int Guards, int Steps>
struct lowering {
  penstock::backend target = backend::host;
  penstock::plan<S, B> mapped{};     // agents, skews, orders and modes as this backend runs them
  list<engine_kind, S> engines{};    // per stage
  list<guard, Guards> guards{};
  list<signal_ring, S> rings{};      // per stage
  int signal_count = 0;              // over all rings
  int warps = 0;                     // of the block
  bool meets_between_runs = false;   // no agent may begin a run of the same object before all have ended the last one
  list<agent_program<Steps>, S> agents{};
};

}  // namespace penstock
