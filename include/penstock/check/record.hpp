// Records what the agents of a run on the host did, and when, for `penstock trace`:
//
//   penstock::check::recording tape;
//   penstock::check::record<line>(tape, n, on<"read">(…), …);   // in place of penstock::run<line>(n, …)
//   tape.save("line.trace");
//
// A run that is not recorded has nothing of this in it.
#pragma once

#include <penstock/check/tape.hpp>
#include <penstock/run/run.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace penstock {
namespace check::detail {

// The table of a run with a tape beside it.
template <class Lowered>
struct recorded : Lowered {};

}  // namespace check::detail

namespace detail {

template <class Lowered, class Ops>
struct line_state<check::detail::recorded<Lowered>, Ops> : line_state<Lowered, Ops> {
  check::recording* tape = nullptr;
};

}  // namespace detail

namespace check {
namespace detail {

template <class Lowered>
class recorded_line : public penstock::detail::host_line<recorded<Lowered>> {
  recording& tape_;

 public:
  explicit recorded_line(recording& tape) : tape_(tape) {
    std::vector<recording::stage_label> stages;
    std::vector<std::string> agents;
    for (const auto& s : Lowered::plan.stages) {
      const int buffer = !s.writes.empty() ? s.writes[0] : !s.reads.empty() ? s.reads[0].buffer : -1;
      stages.push_back({std::string(s.name), buffer < 0 ? 1 : Lowered::plan.buffers[buffer].depth});
    }
    for (const auto& a : Lowered::table.agents) agents.emplace_back(a.name);
    tape_.begin(std::move(stages), std::move(agents));
    for (auto& s : this->states_) s.tape = &tape_;
  }
  ~recorded_line() { tape_.end(); }
};

template <class P, class... Options, class... Bound>
run_result record_run(recording& tape, long long n, Bound&... bound) {
  using single = penstock::detail::single_run<P, Options..., at_most<backend::host>>;
  if constexpr (native_backend != backend::host) {
    return {};  // nvcc's pass over device code, for which a host's run is nothing
  } else if constexpr (single::template accepted<Bound...>) {
    using mapping = typename penstock::detail::chosen<Options...>::mapping;
    recorded_line<typename penstock::detail::program<P, mapping, backend::host, Bound...>::lowered_type> line(tape);
    return line.run(n, bound...);
  } else {
    return {};
  }
}

}  // namespace detail

// run<P, Options…>(n, bound…) on the host, recorded: the tape then holds this run alone, also where a body threw.
template <class P, class... Options, class... Bound>
run_result record(recording& tape, long long n, Bound... bound) {
  return detail::record_run<P, Options...>(tape, n, bound...);
}

// run<P, Options…>(next, bound…), recorded; the stage that asks is called "source".
template <class P, class... Options, class Next, class... Bound>
  requires std::is_invocable_r_v<long long, Next&>
run_result record(recording& tape, Next next, Bound... bound) {
  auto source = on<penstock::detail::source_name>(next);
  return detail::record_run<with_source<P>, Options...>(tape, penstock::detail::unknown_count, source, bound...);
}

}  // namespace check
}  // namespace penstock
