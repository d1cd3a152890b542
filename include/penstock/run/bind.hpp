// on<"stage">(function): which function a stage runs.
#pragma once

#include <penstock/plan/declare.hpp>

#include <type_traits>

namespace penstock {

// What a body may return: go on, or end the run after this iteration.
enum class flow : unsigned char { go, stop };
inline constexpr flow go = flow::go;
inline constexpr flow stop = flow::stop;

// What on<"stage">(f) returns.
template <auto Stage, class F>
struct bound {
  static constexpr auto id = Stage;
  F function;
};

template <name Stage, class F>
PENSTOCK_HD constexpr bound<Stage, F> on(F function) { return bound<Stage, F>{function}; }

namespace detail {

template <auto Stage, class First, class... Rest>
PENSTOCK_HD constexpr auto& function_of(First& first, Rest&... rest) {
  if constexpr (same_name(First::id, Stage)) return first.function;
  else return function_of<Stage>(rest...);
}

// The Index-th stage of a pipeline, as its type.
template <int Index, class Part, class... Rest>
constexpr auto nth_stage() {
  if constexpr (Part::part != part::stage) return nth_stage<Index, Rest...>();
  else if constexpr (Index == 0) return static_cast<Part*>(nullptr);
  else return nth_stage<Index - 1, Rest...>();
}
template <int Index, class... Parts>
constexpr auto stage_of(const pipeline<Parts...>*) { return nth_stage<Index, Parts...>(); }

template <class P, int Index>
using stage_at = std::remove_pointer_t<decltype(stage_of<Index>(static_cast<P*>(nullptr)))>;

}  // namespace detail

}  // namespace penstock
