// Which instructions carry out the steps of a lowering table on a GPU, and by which lanes: the mechanisms that
// `explain` prints, and what the PTX lint looks for in the code that ships. PTX ISA, section "Instruction set".
#pragma once

#include <penstock/lower/table.hpp>

namespace penstock {

enum class instruction : unsigned char {
  call,              // none: here the user's function of the stage is called
  init_signal,
  publish_signals,
  invalidate_signal,
  wait_phase,
  arrive,
  arrive_expecting,  // an arrival and the bytes that the engine still owes
  bulk_in,
  tensor_in,
  bulk_out,
  tensor_out,
  commit_bulk,
  wait_bulk_reads,
  wait_bulk,
  async_copy,
  commit_copies,
  wait_copies,
  fence_proxy,
  warp_barrier,
  barrier,
  vote               // a barrier that also says whether any thread said yes
};

// Without the size of a cp.async and the rank of a tensor copy.
constexpr std::string_view opcode_of(instruction what) {
  switch (what) {
    case instruction::init_signal: return "mbarrier.init.shared::cta.b64";
    case instruction::publish_signals: return "fence.mbarrier_init.release.cluster";
    case instruction::invalidate_signal: return "mbarrier.inval.shared::cta.b64";
    case instruction::wait_phase: return "mbarrier.try_wait.parity.shared::cta.b64";
    case instruction::arrive: return "mbarrier.arrive.shared::cta.b64";
    case instruction::arrive_expecting: return "mbarrier.arrive.expect_tx.shared::cta.b64";
    case instruction::bulk_in: return "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
    case instruction::tensor_in: return "cp.async.bulk.tensor.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    case instruction::bulk_out: return "cp.async.bulk.global.shared::cta.bulk_group";
    case instruction::tensor_out: return "cp.async.bulk.tensor.global.shared::cta.tile.bulk_group";
    case instruction::commit_bulk: return "cp.async.bulk.commit_group";
    case instruction::wait_bulk_reads: return "cp.async.bulk.wait_group.read";
    case instruction::wait_bulk: return "cp.async.bulk.wait_group";
    case instruction::async_copy: return "cp.async.shared.global";
    case instruction::commit_copies: return "cp.async.commit_group";
    case instruction::wait_copies: return "cp.async.wait_group";
    case instruction::fence_proxy: return "fence.proxy.async.shared::cta";
    case instruction::warp_barrier: return "bar.warp.sync";
    case instruction::barrier: return "bar.sync";
    case instruction::vote: return "bar.red.or.pred";
    default: return "";
  }
}

// Who executes an instruction.
enum class lanes : unsigned char {
  all,           // every thread of the agent
  warp_leaders,  // the first lane of each warp of the agent
  first_warp,    // every lane of the agent's first warp
  issuer,        // the first lane of the agent's first warp
  block_leader   // thread 0 of the block
};

struct emitted {
  instruction what = instruction::call;
  lanes by = lanes::all;
  long long number = 0;  // groups that may stay pending, bytes, arrivals, or the barrier's index
  int threads = 0;       // of a barrier that is not the whole block's
  constexpr bool operator==(const emitted&) const = default;
};
using emission = list<emitted, 8>;  // of one step, in order

namespace detail {

template <int S, int B, int G, int Steps>
constexpr long long bytes_moved(const lowering<S, B, G, Steps>& l, int stage) {
  const auto& s = l.mapped.stages[stage];
  if (s.writes.empty() && s.reads.empty()) return 0;  // a body may have no data at all
  return l.mapped.buffers[s.writes.empty() ? s.reads[0].buffer : s.writes[0]].bytes;
}

// Barrier 0 is the whole block's; agents that share a block have their own.
template <int S, int B, int G, int Steps>
constexpr void add_barrier(const lowering<S, B, G, Steps>& l, int agent, instruction what, emission& out) {
  if (l.agents.size() == 1) {
    out.add({what, lanes::all});
  } else {
    out.add({instruction::warp_barrier, lanes::all});
    out.add({what, lanes::all, agent + 1, l.agents[agent].warps * 32});
  }
}

}  // namespace detail

// What starts the copy of a stage, once its function has said what to move: the engine, ...
template <int S, int B, int G, int Steps>
constexpr emission copy_by_engine(const lowering<S, B, G, Steps>& l, int stage, bool tensor = false) {
  emission out;
  const long long bytes = detail::bytes_moved(l, stage);
  if (l.engines[stage] == engine_kind::bulk_in) {
    out.add({instruction::arrive_expecting, lanes::issuer, bytes});
    out.add({tensor ? instruction::tensor_in : instruction::bulk_in, lanes::issuer, bytes});
  } else if (l.engines[stage] == engine_kind::bulk_out) {
    out.add({tensor ? instruction::tensor_out : instruction::bulk_out, lanes::issuer, bytes});
  } else if (l.engines[stage] == engine_kind::async_copy) {
    out.add({instruction::async_copy, lanes::all});
  }
  return out;
}
// ... or, for what a bulk engine cannot move (unaligned ranges, odd sizes, arrays without a tensor map), its warp.
template <int S, int B, int G, int Steps>
constexpr emission copy_by_threads(const lowering<S, B, G, Steps>& l, int stage) {
  emission out;
  if (l.engines[stage] == engine_kind::bulk_in) out.add({instruction::warp_barrier, lanes::first_warp});
  if (is_bulk(l.engines[stage])) {
    out.add({instruction::fence_proxy, lanes::first_warp});
    out.add({instruction::warp_barrier, lanes::first_warp});
  }
  return out;
}
// The arrival of an instance for which the engine moves nothing: copied by threads, empty, or past the end of the run.
template <int S, int B, int G, int Steps>
constexpr emission arrival_alone(const lowering<S, B, G, Steps>& l, int stage) {
  emission out;
  if (l.engines[stage] == engine_kind::bulk_in) out.add({instruction::arrive, lanes::issuer});
  return out;
}

// What comes before the copy or the body of a stage, up to the call of its function.
template <int S, int B, int G, int Steps>
constexpr emission before_issue(const lowering<S, B, G, Steps>& l, int stage) {
  emission out;
  if (is_bulk(l.engines[stage])) out.add({instruction::warp_barrier, lanes::first_warp});
  return out;
}

// One step of an agent's loop, as it is carried out for an instance that is part of the run. The copies are of slots
// that the engine can move; those of the drain are the same but for the signal, which needs no barrier there.
template <int S, int B, int G, int Steps>
constexpr emission instructions_of(const lowering<S, B, G, Steps>& l, int agent, const step& s, bool draining = false) {
  emission out;
  switch (s.what) {
    case op::wait_signal:
    case op::wait_first: out.add({instruction::wait_phase, lanes::all}); break;
    case op::wait_groups: out.add({instruction::wait_copies, lanes::all, s.count}); break;
    case op::wait_reads: out.add({instruction::wait_bulk_reads, lanes::issuer, s.count}); break;
    case op::wait_writes: out.add({instruction::wait_bulk, lanes::issuer, s.count}); break;
    case op::barrier:
      if (l.agents[agent].warps == 1) out.add({instruction::warp_barrier, lanes::all});
      else detail::add_barrier(l, agent, instruction::barrier, out);
      break;
    case op::issue: {
      const engine_kind engine = l.engines[s.stage];
      out = before_issue(l, s.stage);
      if (engine == engine_kind::source) out.add({instruction::warp_barrier, lanes::first_warp});
      out.add({instruction::call, engine == engine_kind::source ? lanes::issuer
                                  : is_bulk(engine)             ? lanes::first_warp
                                                                : lanes::all, s.stage});
      for (const emitted& e : copy_by_engine(l, s.stage)) out.add(e);
      if (engine == engine_kind::source) out.add({instruction::warp_barrier, lanes::first_warp});
      break;
    }
    case op::agree: detail::add_barrier(l, agent, instruction::vote, out); break;
    case op::commit:
      if (l.engines[s.stage] == engine_kind::async_copy) out.add({instruction::commit_copies, lanes::all});
      else out.add({instruction::commit_bulk, lanes::issuer});
      break;
    case op::fence: out.add({instruction::fence_proxy, lanes::all}); break;
    case op::signal:
      if (!draining) out.add({instruction::warp_barrier, lanes::all});
      out.add({instruction::arrive, lanes::warp_leaders});
      break;
  }
  return out;
}

}  // namespace penstock
