// Refuses an unsound pipeline while it compiles, with one sentence for each reason.
#pragma once

#include <penstock/plan/declare.hpp>
#include <penstock/plan/sentence.hpp>
#include <penstock/plan/slots.hpp>

#include <utility>

namespace penstock {

// A target is a type with these members; zero limits nothing.
struct any_target {
  static constexpr target_limits limits{};
  static constexpr slot_limits slots{};
};

namespace detail {

template <class P>
constexpr bool knows_its_names() {
  if constexpr (requires { P::unknown; }) return !P::unknown.found();
  else return true;
}

template <class Names>
constexpr void list_names(const Names& names, text<400>& out) {
  bool first = true;
  for (const auto& n : names) {
    out << (first ? "'" : ", '") << n.name << "'";
    first = false;
  }
}

// P holds a plan, and may hold what its declaration named in vain.
template <int Max, class P, class Target>
constexpr problem_list<Max> find_reasons() {
  problem_list<Max> out;
  if constexpr (P::plan.max_stages == 0) {
    out.report("empty") << "the plan has no stages; a pipeline needs at least one";
  } else if constexpr (!knows_its_names<P>()) {
    // an access that is missing from the plan would only lead to problems that are none
    text<400>& m = out.report("unknown-name");
    m << "stage '" << P::unknown.stage << "' names buffer '" << P::unknown.buffer
      << "', which the pipeline does not declare; it declares ";
    list_names(P::plan.buffers, m);
  } else {
    out = find_problems<Max>(P::plan, Target::limits);
    if (out.empty()) check_slots(P::plan, Target::slots, out);
  }
  return out;
}

template <class P, class Target>
struct plan_reasons {
  static constexpr auto found = find_reasons<3, P, Target>();
};

template <class Reasons, int Index>
struct nth_reason {
  static constexpr const auto& message = Reasons::found[Index].message;
};

// An error for every reason; true if there are none.
template <class Reasons, int... Index>
constexpr bool accept(std::integer_sequence<int, Index...>) {
  (..., (void)sizeof(refusal<nth_reason<Reasons, Index>>));
  return sizeof...(Index) == 0;
}
template <class Reasons>
using reason_indices = std::make_integer_sequence<int, Reasons::found.count>;

}  // namespace detail

// Does the plan of P hold on this target? P is a pipeline, or any type with a constexpr member `plan`.
template <class P, class Target = any_target>
inline constexpr bool sound = detail::plan_reasons<P, Target>::found.empty();

// True for a sound plan; naming it for another is a compile error that says why. What depends on the plan
// belongs under `if constexpr (accepted<P, Target>)`, so that nothing else goes wrong after that error.
template <class P, class Target = any_target>
inline constexpr bool accepted =
    detail::accept<detail::plan_reasons<P, Target>>(detail::reason_indices<detail::plan_reasons<P, Target>>{});

}  // namespace penstock
