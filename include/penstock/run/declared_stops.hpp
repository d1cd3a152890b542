// Which stages must be declared with may_stop, since only the declaration is known: to a pipeline object that is made
// before its runs, and to a launch. Its shared memory has to hold the signals that a stop can bring with it.
#pragma once

#include <penstock/plan/bindings.hpp>
#include <penstock/run/lowered.hpp>

namespace penstock::detail {

template <class Plan, class Undeclared>
constexpr void ask_for_may_stop(const Plan& p, Undeclared undeclared, text<400>& out) {
  const char* separator = "declare that these stages may_stop: ";
  for (int s = 0; s < p.stages.size(); ++s) {
    if (!undeclared(s)) continue;
    out << separator << "'" << p.stages[s].name << "'";
    separator = ", ";
  }
}

template <class P, unsigned long long Undeclared>
struct stops_reason {
  static constexpr auto message = [] {
    text<400> m;
    ask_for_may_stop(P::plan, [](int s) { return (Undeclared >> s & 1u) != 0; }, m);
    return m;
  }();
};

// Undeclared: the stages whose bodies may stop without a word of it in the declaration. False after a compile error.
template <class P, unsigned long long Undeclared>
inline constexpr bool accepted_stops = accept_body<stops_reason<P, Undeclared>, Undeclared == 0>();

// Launched is the table that a launch measures, Run the one that the run executes.
template <class Launched, class Run>
struct storage_reason {
  static constexpr auto message = [] {
    text<400> m;
    m << "the run takes " << Run::layout.bytes << " bytes of shared memory, but its launch gives it "
      << Launched::layout.bytes << "; ";
    ask_for_may_stop(Run::plan, [](int s) { return Run::plan.stages[s].stops && !Launched::plan.stages[s].stops; }, m);
    return m;
  }();
};

template <class P, class Mapping, backend Backend, unsigned long long Stops>
constexpr bool accept_storage() {
  if constexpr (Backend != backend::host && Stops != 0) {
    using launched = lowered<P, Mapping, Backend>;
    using run = lowered<P, Mapping, Backend, Stops>;
    static_assert(run::threads == launched::threads, "a stop changes no agent's warps");
    return accept_body<storage_reason<launched, run>, run::layout.bytes <= launched::layout.bytes>();
  } else {
    return true;
  }
}

// Stops: the stages whose bound bodies may stop. False after a compile error that says which of them to declare so.
template <class P, class Mapping, backend Backend, unsigned long long Stops>
inline constexpr bool accepted_storage = accept_storage<P, Mapping, Backend, Stops>();

}  // namespace penstock::detail
