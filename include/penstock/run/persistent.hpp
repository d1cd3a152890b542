// persistent<P>: a pipeline object that runs again and again, its counters carried on from run to run.
#pragma once

#include <penstock/run/host_line.hpp>
#include <penstock/run/declared_stops.hpp>
#if defined(__CUDACC__)
#include <penstock/run/device_line.hpp>
#endif

namespace penstock {

namespace detail {

inline constexpr long long unknown_count = 1ll << 62;

template <class P, class... Options>
using pipeline_of = std::conditional_t<chosen<Options...>::takes_source, with_source<P>, P>;

template <class L, class Ops>
struct line_of { using type = host_line<L>; };
#if defined(__CUDACC__)
template <class L> struct line_of<L, arch::hopper::ops> { using type = device_line<L, arch::hopper::ops>; };
template <class L> struct line_of<L, arch::ampere::ops> { using type = device_line<L, arch::ampere::ops>; };
template <class L> struct line_of<L, arch::portable::ops> { using type = device_line<L, arch::portable::ops>; };
#endif

// The implementation of a single run: its table depends on which of the bound bodies may stop.
template <class P, class... Options>
struct single_run {
  static_assert(requires { P::plan; }, "the first template argument of run and launch is a pipeline<...>");
  static constexpr backend target = backend_of<P, native_backend, Options...>;
  using ops = typename arch::select<target>::ops;
  using mapping = typename chosen<Options...>::mapping;
  template <class... Bound>
  using program_of = program<P, mapping, target, Bound...>;
  template <class... Bound>
  static constexpr bool accepted = accepted_run<P, mapping, target, Bound...>::ok &&
                                   accept_async<P, target, chosen<Options...>::insists_on_async>();
  // asked of a run that is otherwise accepted
  template <class... Bound>
  static constexpr bool fits_its_launch = accepted_storage<P, mapping, target, program_of<Bound...>::stops>;
  template <class... Bound>
  using line = typename line_of<typename program_of<Bound...>::lowered_type, ops>::type;
};

template <class P, class Mapping, backend Target, class... Bound>
struct line_bindings {
  static constexpr bool find() {
    if constexpr (accepted_run<P, Mapping, Target, Bound...>::ok)
      return accepted_stops<P, program<P, Mapping, Target, Bound...>::stops & ~declared_stops(P::plan)>;
    return false;
  }
  static constexpr bool ok = find();
};

}  // namespace detail

// Made by every thread of the block, then run any number of times with different counts and functions. Stages that may
// stop it say may_stop in their declaration; with the option `sourced` a run may take a source instead of a count.
template <class P, class... Options>
class persistent {
  static constexpr backend target = backend_of<P, native_backend, Options...>;
  using mapping = typename detail::chosen<Options...>::mapping;
  using table = lowered<detail::pipeline_of<P, Options...>, mapping, target>;
  static_assert(detail::accept_async<P, target, detail::chosen<Options...>::insists_on_async>());
  typename detail::line_of<table, typename arch::select<target>::ops>::type line_;

 public:
  PENSTOCK_EXEC_CHECK_DISABLE
  template <class... Bound>
  PENSTOCK_HD PENSTOCK_INLINE run_result run(long long n, Bound... bound) {
    if constexpr (!detail::line_bindings<P, mapping, target, Bound...>::ok) {
      return {};
    } else if constexpr (table::sourced) {
      long long next = 0;
      auto source = on<detail::source_name>([&]() -> long long { return next < n ? next++ : no_more; });
      return line_.run(n > 0 ? detail::unknown_count : 0, source, bound...);
    } else {
      return line_.run(n, bound...);
    }
  }

  PENSTOCK_EXEC_CHECK_DISABLE
  template <class Next, class... Bound>
    requires(std::is_invocable_r_v<long long, Next&> && table::sourced)
  PENSTOCK_HD PENSTOCK_INLINE run_result run(Next next, Bound... bound) {
    if constexpr (detail::line_bindings<P, mapping, target, Bound...>::ok) {
      auto source = on<detail::source_name>(next);
      return line_.run(detail::unknown_count, source, bound...);
    } else {
      return {};
    }
  }

  // By every thread of the block: all have come here, and no copy is under way. Between two drains the block may use the
  // slots for something else: the second orders that before the copies of the next run.
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD PENSTOCK_INLINE void drain() { line_.drain(); }

  // How many instances have passed through every stage since the line was made, the same in every thread.
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD PENSTOCK_INLINE long long instances() const { return line_.instances(); }
};

}  // namespace penstock
