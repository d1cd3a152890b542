// Does the shared memory that launch<P, …> gives a block hold what a run in it takes? A launch knows the declaration,
// a run also its bodies: one that may stop can bring signals that the declared stages alone have no use for.
#pragma once

#include <penstock/plan/bindings.hpp>
#include <penstock/run/lowered.hpp>

namespace penstock::detail {

// Launched is the table that a launch measures, Run the one that the run executes.
template <class Launched, class Run>
struct storage_reason {
  static constexpr auto message = [] {
    text<400> m;
    const char* conjunction = "";
    m << "the run takes " << Run::layout.bytes << " bytes of shared memory, but its launch gives it "
      << Launched::layout.bytes << "; declare that these stages may_stop: ";
    for (int s = 0; s < Run::plan.stages.size(); ++s) {
      if (!Run::plan.stages[s].stops || Launched::plan.stages[s].stops) continue;
      m << conjunction << "'" << Run::plan.stages[s].name << "'";
      conjunction = ", ";
    }
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
