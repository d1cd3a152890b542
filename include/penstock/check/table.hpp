// A lowering table without its template arguments: one compiled checker serves every plan, and a mutant is an edited
// copy.
#pragma once

#include <penstock/lower/lower.hpp>

#include <string>
#include <vector>

namespace penstock::check {

struct checked_stage {
  std::string name;
  engine_kind engine = engine_kind::body;
  int agent = 0;
  int skew = 0;
  bool stops = false;
  bool prefetches = false;
  std::vector<read_access> reads;
  std::vector<int> writes;
  signal_ring ring;
  long long bytes = 0;     // that one instance of a bulk copy in delivers
  long long expected = 0;  // that its signal is told to expect: the same, except in a mutant
};

struct checked_buffer {
  std::string name;
  int depth = 1;
};

struct checked_agent {
  std::string name;
  int warps = 1;
  int last_skew = 0;
  std::vector<step> loop;
  std::vector<step> drain;
};

struct table {
  backend target = backend::host;
  bool meets_between_runs = false;
  bool bulk_by_threads = false;  // every bulk copy is of a kind that its warp's lanes move: unaligned, odd, or unmapped
  std::vector<checked_buffer> buffers;
  std::vector<checked_stage> stages;
  std::vector<checked_agent> agents;

  int deepest() const {
    int most = 1;
    for (const checked_buffer& b : buffers) most = b.depth > most ? b.depth : most;
    return most;
  }
  bool stops() const {
    for (const checked_stage& s : stages) if (s.stops) return true;
    return false;
  }
  // The stage that yields what to do next, or -1: then a run knows its count.
  int source() const {
    for (int s = 0; s < int(stages.size()); ++s) if (stages[s].engine == engine_kind::source) return s;
    return -1;
  }
  bool prefetches() const {
    for (const checked_stage& s : stages) if (s.prefetches) return true;
    return false;
  }
};

template <int S, int B, int Guards, int Steps>
table table_of(const lowering<S, B, Guards, Steps>& l) {
  const auto steps = [](const list<step, Steps>& from) { return std::vector<step>(from.begin(), from.end()); };
  table t;
  t.target = l.target;
  t.meets_between_runs = l.meets_between_runs || l.target == backend::host;
  for (const buffer_info& b : l.mapped.buffers) t.buffers.push_back({std::string(b.name), b.depth});
  for (int s = 0; s < l.mapped.stages.size(); ++s) {
    const auto& from = l.mapped.stages[s];
    checked_stage stage;
    stage.name = from.name;
    stage.engine = l.engines[s];
    stage.agent = from.agent;
    stage.skew = from.skew;
    stage.stops = from.stops;
    stage.prefetches = from.prefetches;
    stage.reads.assign(from.reads.begin(), from.reads.end());
    stage.writes.assign(from.writes.begin(), from.writes.end());
    stage.ring = l.rings[s];
    for (int b : stage.writes) stage.bytes += l.mapped.buffers[b].bytes;
    if (stage.bytes == 0) stage.bytes = 16;  // a plan without sizes
    stage.expected = stage.bytes;
    t.stages.push_back(stage);
  }
  for (const auto& a : l.agents)
    t.agents.push_back({std::string(a.name), a.warps, a.last_skew, steps(a.loop), steps(a.drain)});
  return t;
}

}  // namespace penstock::check
