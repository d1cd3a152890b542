// What a pipeline is: buffers, stages, and who issues them. Plain values, no CUDA.
#pragma once

#include <penstock/plan/list.hpp>

#include <string_view>

namespace penstock {

// A sync stage holds its agent until it has completed; an async stage only until it is issued.
enum class mode : unsigned char { sync, async };

// How far windows and skews may reach, either side of 0: what goes further is a mistake, and distances stay far below
// what stands for no path at all.
inline constexpr int max_offset = 64;
inline constexpr int max_skew = 1 << 17;  // a mapping skews by up to the depth of a ring

// A reader at iteration i reads iterations i + first … i + last, clipped to the run.
struct reach {
  int first = 0;
  int last = 0;
};

struct read_access {
  int buffer = -1;
  reach window{};
  bool item = false;  // not data, but what to do at this iteration
};

struct buffer_info {
  std::string_view name{};
  int depth = 1;          // slots; iteration i lives in slot i mod depth
  long long bytes = 0;    // of one slot; 0 where only the schedule matters
  int alignment = 1;      // of one slot, in bytes
};

template <int Buffers>
struct stage_info {
  std::string_view name{};
  penstock::mode mode = mode::sync;
  int agent = 0;               // index into plan::agents
  int skew = 0;                // instance i runs at step i + skew
  int order = 0;               // position within a step; ties go by declaration
  int warps = 0;               // of the agent, where the declaration says; 0 leaves it to the mapping
  bool stops = false;          // may end the run: later iterations of other stages await its decision
  bool prefetches = false;     // fills slots ahead of that decision: a copy in, or the source of the work
  bool source = false;         // yields what to do next, or the end of the run
  double issue_ns = 0;         // how long issuing occupies the agent
  double latency_ns = 0;       // from issue to completion
  list<read_access, Buffers> reads{};
  list<int, Buffers> writes{};

  constexpr bool reads_data() const {
    for (const read_access& r : reads) if (!r.item) return true;
    return false;
  }
  constexpr bool reads_from(int buffer) const {
    for (const read_access& r : reads) if (r.buffer == buffer) return true;
    return false;
  }
  constexpr bool writes_to(int buffer) const {
    for (int w : writes) if (w == buffer) return true;
    return false;
  }
};

// At most Stages stages and Buffers buffers. Stages stand in declaration order: the sequential program.
template <int Stages, int Buffers>
struct plan {
  static constexpr int max_stages = Stages;
  list<buffer_info, Buffers> buffers{};
  list<stage_info<Buffers>, Stages> stages{};
  list<std::string_view, Stages> agents{};

  constexpr int buffer_index(std::string_view name) const {
    for (int b = 0; b < buffers.size(); ++b) if (buffers[b].name == name) return b;
    return -1;
  }
  constexpr int stage_index(std::string_view name) const {
    for (int s = 0; s < stages.size(); ++s) if (stages[s].name == name) return s;
    return -1;
  }
  constexpr int agent_index(std::string_view name) const {
    for (int a = 0; a < agents.size(); ++a) if (agents[a] == name) return a;
    return -1;
  }
};

// The stages of one agent as they follow each other within a step.
template <int S, int B>
constexpr list<int, S> stages_in_order(const plan<S, B>& p, int agent) {
  list<int, S> sequence;
  for (int s = 0; s < p.stages.size(); ++s) {
    if (p.stages[s].agent != agent) continue;
    int at = sequence.size();
    sequence.add(s);
    for (; at > 0 && p.stages[sequence[at - 1]].order > p.stages[s].order; --at) sequence[at] = sequence[at - 1];
    sequence[at] = s;
  }
  return sequence;
}

inline constexpr int never = 1 << 28;  // a distance no path reaches

// Program order of one agent: an instance of `from` at iteration k is issued before `to` at k + distance.
template <int S, int B>
constexpr int program_distance(const plan<S, B>& p, int from, int to) {
  const auto& a = p.stages[from];
  const auto& b = p.stages[to];
  if (a.agent != b.agent) return never;
  const bool to_is_first = b.order != a.order ? b.order < a.order : to <= from;
  return a.skew - b.skew + (to_is_first ? 1 : 0);
}

}  // namespace penstock
