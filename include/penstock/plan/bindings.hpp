// Which bodies a pipeline's stages need, and why those given are refused.
#pragma once

#include <penstock/plan/reject.hpp>

namespace penstock {
namespace detail {

template <class P, auto... Ids>
struct binding_reasons {
  static constexpr auto find() {
    constexpr int given = sizeof...(Ids);
    const std::string_view ids[given + 1]{Ids.view()...};
    problem_list<3> out;
    for (int i = 0; i < given; ++i) {
      if (P::plan.stage_index(ids[i]) < 0) {
        text<400>& m = out.report("unknown-stage");
        m << "a body is bound to stage '" << ids[i]
          << "', which the pipeline does not declare; it declares ";
        list_names(P::plan.stages, m);
        continue;
      }
      int earlier = 0;
      for (int j = 0; j < i; ++j) if (ids[j] == ids[i]) ++earlier;
      if (earlier == 1)
        out.report("bound-twice") << "stage '" << ids[i] << "' is bound twice; give it one body";
    }
    for (const auto& s : P::plan.stages) {
      bool bound = false;
      for (int i = 0; i < given; ++i) bound = bound || ids[i] == s.name;
      if (!bound) out.report("not-bound") << "stage '" << s.name << "' is not bound; give it a body";
    }
    return out;
  }
  static constexpr auto found = find();
};

}  // namespace detail

// True if the bodies with these ids, name<N> values, are one for each stage; else a compile error that says why.
template <class P, auto... Ids>
inline constexpr bool accepted_bindings = detail::accept<detail::binding_reasons<P, Ids...>>(
    detail::reason_indices<detail::binding_reasons<P, Ids...>>{});

// What the function that is bound to a stage does.
enum class body_kind : unsigned char {
  copy_in,   // says from where an iteration's slot is filled
  copy_out,  // says where it goes
  compute    // works on slots
};

namespace detail {

template <class Clause>
constexpr void name_view(text<400>& out) {
  constexpr auto kind = Clause::clause;
  if constexpr (kind == clause::read || kind == clause::write || kind == clause::update)
    out << "buffer '" << Clause::id.view() << "', ";
}
template <class... Clauses>
constexpr void name_views(text<400>& out, clause_list<Clauses...>) { (name_view<Clauses>(out), ...); }

template <class Stage, body_kind Kind>
struct parameters_reason {
  static constexpr auto message = [] {
    text<400> m;
    m << "the body of stage '" << Stage::id.view() << "' cannot be called with what it gets: ";
    if constexpr (Kind == body_kind::compute) {
      m << "a group, ";
      name_views(m, typename Stage::clauses{});
    }
    m << "the iteration";
    return m;
  }();
};

template <class Stage, body_kind Kind>
struct result_reason {
  static constexpr auto message = [] {
    text<400> m;
    m << "the body of stage '" << Stage::id.view() << "' must return "
      << (Kind == body_kind::copy_in    ? "what to copy: from(...)"
          : Kind == body_kind::copy_out ? "what to copy: to(...)"
                                        : "nothing, or go or stop");
    return m;
  }();
};

template <class Reason, bool Fits>
constexpr bool accept_body() {
  if constexpr (!Fits) (void)sizeof(refusal<Reason>);
  return Fits;
}

}  // namespace detail

// Stage is a stage<…> type. Fits: can its body be called with what such a stage gets? If not, a compile error
// says what that is: the iteration alone, or a group, a view of each buffer in declared order and the iteration.
template <class Stage, body_kind Kind, bool Fits>
inline constexpr bool accepted_parameters = detail::accept_body<detail::parameters_reason<Stage, Kind>, Fits>();

// The same for what the body returns.
template <class Stage, body_kind Kind, bool Fits>
inline constexpr bool accepted_result = detail::accept_body<detail::result_reason<Stage, Kind>, Fits>();

}  // namespace penstock
