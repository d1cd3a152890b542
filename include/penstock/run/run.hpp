// run<P>(n, on<"stage">(f)…): a declared pipeline, run once by a thread block or on the host.
#pragma once

#include <penstock/run/persistent.hpp>

#include <type_traits>

namespace penstock {

namespace detail {

PENSTOCK_EXEC_CHECK_DISABLE
template <class Single, class... Bound>
PENSTOCK_HD PENSTOCK_INLINE run_result run_once(long long n, Bound&... bound) {
  if constexpr (Single::template fits_its_launch<Bound...>) {
    typename Single::template line<Bound...> line;
    return line.run(n, bound...);
  } else {
    return {};
  }
}

}  // namespace detail

// In a kernel: called by every thread of a block launched as launch<P, Options…> does it. Copy stages are called by one
// warp (or by all threads) and return from(…) or to(…); bodies by their whole group. On the host: in this thread, or
// one thread an agent. Iterations count from 0; n <= 0 runs nothing.
PENSTOCK_EXEC_CHECK_DISABLE
template <class P, class... Options, class... Bound>
PENSTOCK_HD PENSTOCK_INLINE run_result run(long long n, Bound... bound) {
  using single = detail::single_run<P, Options...>;
  if constexpr (single::template accepted<Bound...>) {
    return detail::run_once<single>(n, bound...);
  } else {
    return {};
  }
}

// The same where nobody knows how many iterations there are: next() is asked, by one thread of the block, for the item
// of each iteration until it returns a negative number; the stages' functions get the item in place of the iteration.
PENSTOCK_EXEC_CHECK_DISABLE
template <class P, class... Options, class Next, class... Bound>
  requires std::is_invocable_r_v<long long, Next&>
PENSTOCK_HD PENSTOCK_INLINE run_result run(Next next, Bound... bound) {
  if constexpr (detail::single_run<P, Options...>::template accepted<Bound...>) {
    auto source = on<detail::source_name>(next);
    return detail::run_once<detail::single_run<with_source<P>, Options...>>(detail::unknown_count, source, bound...);
  } else {
    return {};
  }
}

// Neither a count nor a source.
template <class P, class... Options, class Next, class... Bound>
  requires(std::is_invocable_v<Next&> && !std::is_invocable_r_v<long long, Next&>)
PENSTOCK_HD run_result run(Next, Bound...) {
  static_assert(std::is_void_v<Next>, "a source returns a number: the next item, or no_more");
  return {};
}

}  // namespace penstock
