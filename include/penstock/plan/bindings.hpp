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
        m << "a body is bound to stage '" << ids[i] << "', which the pipeline does not declare; it declares ";
        list_names(P::plan.stages, m);
        continue;
      }
      int earlier = 0;
      for (int j = 0; j < i; ++j) if (ids[j] == ids[i]) ++earlier;
      if (earlier == 1) out.report("bound-twice") << "stage '" << ids[i] << "' is bound twice; give it one body";
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

// True if the bodies with these ids, as name<N> values, are one for each stage; else a compile error that says why.
template <class P, auto... Ids>
inline constexpr bool accepted_bindings = detail::accept<detail::binding_reasons<P, Ids...>>(
    detail::reason_indices<detail::binding_reasons<P, Ids...>>{});

// The buffers that a stage's body gets a view of, in this order: what it reads, then what else it writes.
template <int B>
constexpr list<int, B> viewed_buffers(const stage_info<B>& s) {
  list<int, B> out;
  for (const read_access& r : s.reads) out.add(r.buffer);
  for (int w : s.writes) if (!s.reads_from(w)) out.add(w);
  return out;
}

// What the body of a stage is called with.
enum class body_kind : unsigned char {
  copy,    // the iteration; it returns what to move
  compute  // a group of threads, a view of each viewed buffer, the iteration
};

namespace detail {

template <class P, int Stage, body_kind Kind>
struct body_reason {
  static constexpr auto find() {
    const auto& s = P::plan.stages[Stage];
    text<400> m;
    m << "the body of stage '" << s.name << "' cannot be called with what it gets: ";
    if (Kind == body_kind::compute) {
      m << "a group, ";
      for (int b : viewed_buffers(s)) m << "buffer '" << P::plan.buffers[b].name << "', ";
    }
    m << "the iteration";
    return m;
  }
  static constexpr auto message = find();
};

template <class P, int Stage, body_kind Kind, class Body, class... Arguments>
constexpr bool accept_body() {
  constexpr bool callable = std::is_invocable_v<Body&, Arguments...>;
  if constexpr (!callable) (void)sizeof(refuse<body_reason<P, Stage, Kind>>);
  return callable;
}

}  // namespace detail

// True if the body of the Stage-th stage can be called with the Arguments of its kind; else a compile error that
// says with what it is called.
template <class P, int Stage, body_kind Kind, class Body, class... Arguments>
inline constexpr bool accepted_body = detail::accept_body<P, Stage, Kind, Body, Arguments...>();

}  // namespace penstock
