// What may follow the pipeline in run<P, …> and launch<P, …>: a mapping, and a backend to stay below.
#pragma once

#include <penstock/arch/native.hpp>
#include <penstock/plan/bindings.hpp>
#include <penstock/run/bind.hpp>
#include <penstock/run/lowered.hpp>
#include <penstock/run/views.hpp>

#include <type_traits>
#include <utility>

namespace penstock {

// persistent<P, sourced>: its runs may take a source instead of a count.
struct sourced {
  static constexpr bool takes_source = true;
};

// Run no higher than this backend, so that one device can try them all; never a way up.
template <backend Backend>
struct at_most {
  static constexpr backend ceiling = Backend;
};

// Refuse to compile where a stage declared async would be carried out synchronously.
struct require_async {
  static constexpr bool insists_on_async = true;
};

namespace detail {

template <class Option>
concept is_mapping = requires { Option::arrangement; };
template <class Option>
concept is_ceiling = requires { Option::ceiling; };

struct defaults {
  using mapping = specialised<>;
  static constexpr backend ceiling = backend::hopper;
  static constexpr bool takes_source = false;
  static constexpr bool insists_on_async = false;
};

template <class Chosen, class Mapping>
struct with_mapping : Chosen { using mapping = Mapping; };
template <class Chosen, backend Ceiling>
struct with_ceiling : Chosen { static constexpr backend ceiling = Ceiling; };

template <class Chosen>
struct with_items : Chosen { static constexpr bool takes_source = true; };

template <class Chosen>
struct with_insistence : Chosen { static constexpr bool insists_on_async = true; };

template <class Chosen>
constexpr auto choose() { return Chosen{}; }
template <class Chosen, class First, class... Rest>
constexpr auto choose() {
  if constexpr (is_mapping<First>) {
    return choose<with_mapping<Chosen, First>, Rest...>();
  } else if constexpr (requires { First::takes_source; }) {
    return choose<with_items<Chosen>, Rest...>();
  } else if constexpr (requires { First::insists_on_async; }) {
    return choose<with_insistence<Chosen>, Rest...>();
  } else {
    static_assert(is_ceiling<First>,
                  "an option is a mapping (specialised<...>, uniform<...>, sequential), at_most<backend>, sourced or "
                  "require_async");
    return choose<with_ceiling<Chosen, First::ceiling>, Rest...>();
  }
}

template <class... Options>
using chosen = decltype(choose<defaults, Options...>());

constexpr backend lower_of(backend a, backend b) { return a < b ? a : b; }

// What a body returns tells whether its stage may stop the run.
template <class L, int Stage, class F, class... Views>
constexpr bool stops_with(clause_list<>) {
  constexpr int threads = L::table.mapped.stages[Stage].warps * (L::target == backend::host ? 1 : 32);
  using group_type = const group<typename arch::select<L::target>::ops, threads,
                                 L::agents == 1 ? 0 : L::table.mapped.stages[Stage].agent + 1>;
  using stage = stage_at<typename L::pipeline, Stage>;
  constexpr bool fits = std::is_invocable_v<F&, group_type&, Views..., long long>;
  if constexpr (accepted_parameters<stage, body_kind::compute, fits>) {
    using result = std::invoke_result_t<F&, group_type&, Views..., long long>;
    if constexpr (accepted_result<stage, body_kind::compute, std::is_void_v<result> || std::is_same_v<result, flow>>)
      return std::is_same_v<result, flow>;
  }
  return false;
}
template <class L, int Stage, class F, class... Views, class Clause, class... Rest>
constexpr bool stops_with(clause_list<Clause, Rest...>) {
  if constexpr (is_access<Clause>) {
    using T = typename buffer_of<L, Clause>::type;
    if constexpr (Clause::clause == clause::read) {
      if constexpr (Clause::window.first == 0 && Clause::window.last == 0)
        return stops_with<L, Stage, F, Views..., const T&>(clause_list<Rest...>{});
      else
        return stops_with<L, Stage, F, Views...,
                          window_view<T, buffer_of<L, Clause>::depth, Clause::window.first, Clause::window.last>&>(
            clause_list<Rest...>{});
    } else {
      return stops_with<L, Stage, F, Views..., T&>(clause_list<Rest...>{});
    }
  } else {
    return stops_with<L, Stage, F, Views...>(clause_list<Rest...>{});
  }
}

// A ring's slots lie as C++ lays them out; swizzled ones are a channel's.
template <class Said, body_kind Kind>
constexpr bool says_what_to_move =
    (Kind == body_kind::copy_in ? is_incoming<Said> : is_outgoing<Said>) && !requires(Said said) { said.move.box; };

// A copy is asked what to move, for an iteration.
template <class Stage, body_kind Kind, class F>
constexpr bool check_copy() {
  if constexpr (accepted_parameters<Stage, Kind, std::is_invocable_v<F&, long long>>)
    return accepted_result<Stage, Kind, says_what_to_move<std::invoke_result_t<F&, long long>, Kind>>;
  return false;
}

template <class L, int Stage, class... Bound>
constexpr unsigned long long stop_bit() {
  using stage = stage_at<typename L::pipeline, Stage>;
  using F = std::remove_reference_t<decltype(function_of<stage::id>(std::declval<Bound&>()...))>;
  if constexpr (L::table.engines[Stage] == engine_kind::body) {
    return stops_with<L, Stage, F>(typename stage::clauses{}) ? 1ull << Stage : 0ull;
  } else if constexpr (L::table.engines[Stage] != engine_kind::source) {
    (void)check_copy<stage, copies_in(L::plan.stages[Stage]) ? body_kind::copy_in : body_kind::copy_out, F>();
    return 0;
  } else {
    return 0;
  }
}

template <class P>
using every_stage = std::make_integer_sequence<int, P::plan.stages.count>;

template <class Plan>
constexpr unsigned long long declared_stops(const Plan& p) {
  unsigned long long bits = 0;
  for (int s = 0; s < p.stages.size(); ++s) bits |= p.stages[s].stops ? 1ull << s : 0ull;
  return bits;
}

// The stages of P whose bound body may stop, as a bit set.
template <class P, class Mapping, backend Backend, class... Bound, int... Stage>
constexpr unsigned long long stops_of(std::integer_sequence<int, Stage...>) {
  return (0ull | ... | stop_bit<lowered<P, Mapping, Backend>, Stage, Bound...>());
}

// As class members, because a device function may not call host constexpr functions.
template <class P, class Mapping, backend Backend, class... Bound>
struct program {
  static constexpr unsigned long long stops = stops_of<P, Mapping, Backend, Bound...>(every_stage<P>{});
  using lowered_type = lowered<P, Mapping, Backend, stops>;
};

// What a target holds and moves. Slots of any size and address move, the odd ones by threads.
template <backend Backend>
struct target_of {
  // of a block, by the opt-in limit of the largest member: sm_90, sm_80, sm_75
  static constexpr long long shared = Backend == backend::hopper     ? 227 * 1024
                                      : Backend == backend::ampere   ? 163 * 1024
                                      : Backend == backend::portable ? 64 * 1024
                                                                     : 0;
  static constexpr target_limits limits{backend_name(Backend), shared};
  static constexpr slot_limits slots{backend_name(Backend), 1, slot_alignment, true};
};

template <class P, class Mapping, backend Backend, unsigned long long Stops>
struct mapped_plan {
  static constexpr auto plan = map_plan<Mapping>(with_stops(P::plan, Stops), Backend);
};

// All that a run asks of its pipeline and bindings, each refusal one sentence from the compiler; false after one.
template <class P, class Mapping, backend Backend, class... Bound>
struct accepted_run {
  static_assert((true && ... && requires { Bound::id; }),
                "behind n or next, run takes an on<\"stage\">(function) for each stage, and nothing else");
  static constexpr bool stopping_plan() {
    if constexpr (accepted<P, target_of<Backend>> && accepted_bindings<P, Bound::id...>) {
      constexpr auto stops = program<P, Mapping, Backend, Bound...>::stops;
      return accepted<mapped_plan<P, Mapping, Backend, stops>, target_of<Backend>>;
    }
    return false;
  }
  static constexpr bool ok = stopping_plan();
};

// The first stage declared async that is not on this backend; -1 if there is none.
template <class P, backend Backend>
constexpr int first_held_back() {
  for (int s = 0; s < P::plan.stages.size(); ++s)
    if (P::plan.stages[s].mode == mode::async && !is_async(engine_of(P::plan.stages[s], Backend))) return s;
  return -1;
}
template <class P, backend Backend>
struct held_back_reason {
  static constexpr auto message = [] {
    text<400> m;
    m << "require_async: stage '" << P::plan.stages[first_held_back<P, Backend>()].name
      << "' is declared async but is not async on " << backend_name(Backend);
    return m;
  }();
};
// Insists: the option require_async. False after a compile error that names the stage.
template <class P, backend Backend, bool Insists>
constexpr bool accept_async() {
  if constexpr (Insists && first_held_back<P, Backend>() >= 0)
    return accept_body<held_back_reason<P, Backend>, false>();
  else
    return true;
}

}  // namespace detail

// The backend that run<P, Options…> uses where the native backend is `Native`.
template <class P, backend Native, class... Options>
inline constexpr backend backend_of = detail::lower_of(Native, detail::chosen<Options...>::ceiling);

// Is this stage carried out asynchronously on a backend? No stage is that was declared sync; an async one is where the
// backend has the instructions.
template <class P, name Stage>
constexpr bool is_async_on(backend target) {
  constexpr int s = P::plan.stage_index(Stage.view());
  static_assert(s >= 0, "the pipeline has no stage of this name");
  return is_async(detail::engine_of(P::plan.stages[s], target));
}

}  // namespace penstock
