// What may follow the pipeline in run<P, …> and launch<P, …>: a mapping, and a backend to stay below.
#pragma once

#include <penstock/arch/native.hpp>
#include <penstock/run/bind.hpp>
#include <penstock/run/lowered.hpp>
#include <penstock/run/views.hpp>

namespace penstock {

// line<P, sourced>: its runs may take a source instead of a count.
struct sourced {
  static constexpr bool takes_source = true;
};

// Run no higher than this backend, so that one device can try them all; never a way up.
template <backend Backend>
struct at_most {
  static constexpr backend ceiling = Backend;
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
};

template <class Chosen, class Mapping>
struct with_mapping : Chosen { using mapping = Mapping; };
template <class Chosen, backend Ceiling>
struct with_ceiling : Chosen { static constexpr backend ceiling = Ceiling; };

template <class Chosen>
struct with_items : Chosen { static constexpr bool takes_source = true; };

template <class Chosen>
constexpr auto choose() { return Chosen{}; }
template <class Chosen, class First, class... Rest>
constexpr auto choose() {
  if constexpr (is_mapping<First>) {
    return choose<with_mapping<Chosen, First>, Rest...>();
  } else if constexpr (requires { First::takes_source; }) {
    return choose<with_items<Chosen>, Rest...>();
  } else {
    static_assert(is_ceiling<First>,
                  "an option is a mapping (specialised<…>, uniform<…>, sequential), at_most<backend> or sourced");
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
  static_assert(std::is_invocable_v<F&, group_type&, Views..., long long>,
                "a body takes its group, one view for each read, write or update in declared order, and the iteration");
  using result = std::invoke_result_t<F&, group_type&, Views..., long long>;
  static_assert(std::is_void_v<result> || std::is_same_v<result, flow>, "a body returns nothing, penstock::go or penstock::stop");
  return std::is_same_v<result, flow>;
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

template <class L, int Stage, class... Bound>
constexpr unsigned long long stop_bit() {
  if constexpr (L::table.engines[Stage] == engine_kind::body) {
    using F = std::remove_reference_t<decltype(function_of<stage_at<typename L::pipeline, Stage>::id>(
        std::declval<Bound&>()...))>;
    return stops_with<L, Stage, F>(typename stage_at<typename L::pipeline, Stage>::clauses{}) ? 1ull << Stage : 0ull;
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

template <class P, class... Bound, int... Stage>
constexpr bool each_stage_bound_once(std::integer_sequence<int, Stage...>) {
  return (true && ... && (times_bound<Bound...>(stage_at<P, Stage>::id) == 1));
}

// As class members, because a device function may not call host constexpr functions.
template <class P, class Mapping, backend Backend, class... Bound>
struct program {
  static constexpr unsigned long long stops = stops_of<P, Mapping, Backend, Bound...>(every_stage<P>{});
  using lowered_type = lowered<P, Mapping, Backend, stops>;
};

// What a run needs of its bindings, said once for all backends.
template <class P, class... Bound>
struct require_bindings {
  static_assert(find_problems<1>(P::plan).empty() && !P::unknown.found(), "this pipeline is not sound");
  static_assert(sizeof...(Bound) == P::plan.stages.count && each_stage_bound_once<P, Bound...>(every_stage<P>{}),
                "bind every stage exactly once: on<\"stage\">(function) for each stage of the pipeline");
  static constexpr bool checked = true;
};

}  // namespace detail

// The backend and the table that run<P, Options…> uses where the native backend is `Native`.
template <class P, backend Native, class... Options>
inline constexpr backend backend_of = detail::lower_of(Native, detail::chosen<Options...>::ceiling);

}  // namespace penstock
