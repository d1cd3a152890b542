// How a user declares a pipeline, as types:
//
//   using line = penstock::pipeline<
//       buffer<"in", float[1024], depth<4>>, buffer<"out", float[1024], depth<2>>,
//       stage<"read",    async, writes<"in">>,
//       stage<"compute", sync,  reads<"in", window<-1, 1>>, writes<"out">>,
//       stage<"write",   async, reads<"out">>>;
//
// A kernel that takes a pipeline as a template argument needs it under a name of its own, since nvcc cannot spell
// string arguments in its launch stubs: struct line : penstock::pipeline<…> {};
#pragma once

#include <penstock/plan/problems.hpp>

#include <cstddef>
#include <type_traits>

namespace penstock {

// A string literal as a template argument.
template <std::size_t N>
struct name {
  char chars[N]{};
  PENSTOCK_HD constexpr name(const char (&literal)[N]) {
    for (std::size_t i = 0; i < N; ++i) chars[i] = literal[i];
  }
  constexpr std::string_view view() const { return {chars, N - 1}; }
};

// nvcc rejects specialisations that deduce a string argument, so ids are compared as values.
template <class A, class B>
PENSTOCK_HD constexpr bool same_name(const A& a, const B& b) {
  if constexpr (sizeof(A) != sizeof(B)) {
    return false;
  } else {
    for (std::size_t i = 0; i < sizeof(A); ++i) if (a.chars[i] != b.chars[i]) return false;
    return true;
  }
}

inline constexpr penstock::mode sync = mode::sync;
inline constexpr penstock::mode async = mode::async;

// depth<automatic> is the least that keeps the pipeline as fast as the stages' timing allows.
template <int Slots>
struct depth {
  static constexpr int value = Slots;
};

// A reader at iteration i sees iterations i + First … i + Last of a buffer.
template <int First, int Last>
struct window {
  static constexpr reach value{First, Last};
};

namespace detail {

enum class part : unsigned char { buffer, stage };
enum class clause : unsigned char { read, write, update, item, next_item, agent, skew, order, timing, may_stop };

}  // namespace detail

// T is one slot: an array such as float[1024] or float[34][36], or a trivially copyable struct.
template <name Id, class T, class Depth>
struct buffer {
  static_assert(std::is_trivially_copyable_v<std::remove_all_extents_t<T>>,
                "a buffer's slot is moved as bytes, so its type must be trivially copyable");
  static constexpr auto part = detail::part::buffer;
  static constexpr auto id = Id;
  static constexpr int depth = Depth::value;
  using slot_type = T;
};

// Without a window: the same iteration's slot alone.
template <name Buffer, class Window = window<0, 0>>
struct reads {
  static constexpr auto clause = detail::clause::read;
  static constexpr auto id = Buffer;
  static constexpr reach window = Window::value;
};

// The slot of the same iteration, whole or in part.
template <name Buffer>
struct writes {
  static constexpr auto clause = detail::clause::write;
  static constexpr auto id = Buffer;
};

// In place: the stage reads and writes the same iteration of one buffer.
template <name Buffer>
struct updates {
  static constexpr auto clause = detail::clause::update;
  static constexpr auto id = Buffer;
};

// Who issues the stage. Stages that name the same agent share one program order; a compute agent has the Warps warps
// that one of its stages states, or as many as the mapping gives where that is 0 for all.
template <name Agent, int Warps = 0>
struct agent {
  static_assert(Warps >= 0 && Warps <= 32, "an agent has 1 to 32 warps, or 0 for as many as the mapping gives");
  static constexpr auto clause = detail::clause::agent;
  static constexpr auto id = Agent;
  static constexpr int warps = Warps;
};

// The stage's body may end the run. Only a pipeline object that runs many times needs to be told.
struct may_stop {
  static constexpr auto clause = detail::clause::may_stop;
};

// Instance i runs in step i + Steps of its agent.
template <int Steps>
struct skew {
  static constexpr auto clause = detail::clause::skew;
  static constexpr int value = Steps;
};

// Position within a step of its agent; without one, that of the declaration.
template <int Position>
struct order {
  static constexpr auto clause = detail::clause::order;
  static constexpr int value = Position;
};

// For throughput: how long issuing occupies the agent, and how long until completion, in nanoseconds.
template <long long IssueNs, long long LatencyNs>
struct timing {
  static constexpr auto clause = detail::clause::timing;
  static constexpr double issue_ns = IssueNs;
  static constexpr double latency_ns = LatencyNs;
};

namespace detail {
template <class... Clauses>
struct clause_list {};
}  // namespace detail

// Clauses: reads, writes, updates, agent, skew, order, timing, may_stop, in any order.
template <name Id, penstock::mode Mode, class... Clauses>
struct stage {
  static_assert((true && ... && requires { Clauses::clause; }),
                "after its name and mode a stage takes reads, writes, updates, agent, skew, order, timing and may_stop");
  using clauses = detail::clause_list<Clauses...>;
  static constexpr auto part = detail::part::stage;
  static constexpr auto id = Id;
  static constexpr penstock::mode mode = Mode;
};

namespace detail {

struct unknown_name {
  std::string_view stage{};
  std::string_view buffer{};
  constexpr bool found() const { return !buffer.empty(); }
};

template <class Clause>
constexpr bool touches_buffer() {
  constexpr auto kind = Clause::clause;
  return kind == clause::read || kind == clause::write || kind == clause::update || kind == clause::item ||
         kind == clause::next_item;
}

template <int S, int B, class Clause>
constexpr void apply_clause(plan<S, B>& p, stage_info<B>& s, std::string_view& agent, unknown_name& unknown) {
  constexpr auto kind = Clause::clause;
  if constexpr (touches_buffer<Clause>()) {
    const int b = p.buffer_index(Clause::id.view());
    if (b < 0) {
      if (!unknown.found()) unknown = {s.name, Clause::id.view()};
      return;
    }
    if constexpr (kind == clause::read) s.reads.add(read_access{b, Clause::window});
    if constexpr (kind == clause::update) s.reads.add(read_access{b, {}});
    if constexpr (kind == clause::item) {
      // as far ahead as the stage looks, so that it knows whether those iterations exist
      reach window{};
      for (const read_access& r : s.reads) if (r.window.last > window.last) window.last = r.window.last;
      s.reads.add(read_access{b, window, true});
    }
    if constexpr (kind != clause::read && kind != clause::item) s.writes.add(b);
    if constexpr (kind == clause::next_item) s.source = true;
  } else if constexpr (kind == clause::agent) {
    agent = Clause::id.view();
    s.warps = Clause::warps;
  } else if constexpr (kind == clause::may_stop) {
    s.stops = true;
  } else if constexpr (kind == clause::skew) {
    s.skew = Clause::value;
  } else if constexpr (kind == clause::order) {
    s.order = Clause::value;
  } else {
    s.issue_ns = Clause::issue_ns;
    s.latency_ns = Clause::latency_ns;
  }
}

template <class... Clauses>
constexpr int count_accesses(clause_list<Clauses...>) {
  return (0 + ... + (touches_buffer<Clauses>() ? 1 : 0));
}

template <class Stage, int S, int B, class... Clauses>
constexpr void add_stage(plan<S, B>& p, unknown_name& unknown, clause_list<Clauses...>) {
  stage_info<B> s;
  s.name = Stage::id.view();
  s.mode = Stage::mode;
  s.order = p.stages.size();
  std::string_view agent = s.name;
  (apply_clause<S, B, Clauses>(p, s, agent, unknown), ...);
  s.prefetches = s.source || (s.mode == mode::async && !s.reads_data());
  s.agent = p.agent_index(agent);
  if (s.agent == -1) {
    s.agent = p.agents.size();
    p.agents.add(agent);
  }
  p.stages.add(s);
}

template <class Part, int S, int B>
constexpr void add_buffer(plan<S, B>& p) {
  if constexpr (Part::part == part::buffer) {
    using T = typename Part::slot_type;
    p.buffers.add(buffer_info{Part::id.view(), Part::depth, static_cast<long long>(sizeof(T)),
                              static_cast<int>(alignof(T))});
  }
}

template <class Part, int S, int B>
constexpr void add_if_stage(plan<S, B>& p, unknown_name& unknown) {
  if constexpr (Part::part == part::stage) add_stage<Part>(p, unknown, typename Part::clauses{});
}

template <class... Parts>
struct declared {
  static constexpr int stages = (0 + ... + (Parts::part == part::stage));
  static constexpr int buffers = (0 + ... + (Parts::part == part::buffer));
  // a stage with more accesses than there are buffers names one twice or one that is unknown; leave room to say so
  static constexpr int accesses = [] {
    int most = buffers;
    const auto widen = [&](int n) { if (n > most) most = n; };
    (widen([] {
       if constexpr (Parts::part == part::stage) return count_accesses(typename Parts::clauses{});
       else return 0;
     }()), ...);
    return most;
  }();
  using plan_type = penstock::plan<stages, accesses>;
  struct result {
    plan_type value{};
    unknown_name unknown{};
  };
  static constexpr result build() {
    result r;
    (add_buffer<Parts>(r.value), ...);
    (add_if_stage<Parts>(r.value, r.unknown), ...);
    if constexpr (stages > 0)
      if (!r.unknown.found()) choose_automatic_depths(r.value);  // where it cannot, the depth is reported as a problem
    return r;
  }
  static constexpr result made = build();
};

}  // namespace detail

// Buffers and stages; the stages stand in the order of the sequential program whose result must come out. Whether it is
// sound is asked where it is used: sound<P>, accepted<P>, run<P>.
template <class... Parts>
struct pipeline {
  static_assert((true && ... && requires { Parts::part; }), "a pipeline consists of buffer<...> and stage<...> types");
  static constexpr const auto& plan = detail::declared<Parts...>::made.value;
  static constexpr const auto& unknown = detail::declared<Parts...>::made.unknown;
};

namespace detail {

// By overload recursion instead of a deducing specialisation.
template <int Index, class Part, class... Rest>
constexpr auto nth_buffer() {
  if constexpr (Part::part != part::buffer) return nth_buffer<Index, Rest...>();
  else if constexpr (Index == 0) return static_cast<Part*>(nullptr);
  else return nth_buffer<Index - 1, Rest...>();
}
template <int Index, class... Parts>
constexpr auto buffer_at(const pipeline<Parts...>*) { return nth_buffer<Index, Parts...>(); }

}  // namespace detail

// The slot type of the Index-th buffer of pipeline P.
template <class P, int Index>
using slot_type =
    typename std::remove_pointer_t<decltype(detail::buffer_at<Index>(static_cast<P*>(nullptr)))>::slot_type;

}  // namespace penstock
