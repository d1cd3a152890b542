// run<P>(n, on<"stage">(f)…): a declared pipeline, run for n iterations by a thread block or on the host.
#pragma once

#include <penstock/run/host_line.hpp>
#if defined(__CUDACC__)
#include <penstock/run/device_line.hpp>
#endif

namespace penstock {

namespace detail {

template <class P, class... Options>
using mapping_of = typename chosen<Options...>::mapping;

template <class P, class... Options>
struct host_program {
  template <class... Bound>
  static run_result run(long long n, Bound&... bound) {
    using L = typename program<P, mapping_of<P, Options...>, backend::host, Bound...>::lowered_type;
    host_line<L> line;
    return line.run(n, bound...);
  }
};

#if defined(__CUDACC__)
template <class P, class... Options>
struct device_program {
  template <class... Bound>
  static __device__ __forceinline__ run_result run(long long n, Bound&... bound) {
    constexpr backend target = backend_of<P, native_backend, Options...>;
    using L = typename program<P, mapping_of<P, Options...>, target, Bound...>::lowered_type;
    device_line<L, typename arch::select<target>::ops> line;
    return line.run(n, bound...);
  }
};
#endif

}  // namespace detail

// In a kernel: called by every thread of a block launched as launch_shape<P, Options…> says. Copy stages are called by
// one warp (or by all threads) and return from(…) or to(…); bodies by their whole group. On the host: in this thread, or
// one thread an agent. Iterations count from 0; n <= 0 runs nothing.
PENSTOCK_EXEC_CHECK_DISABLE
template <class P, class... Options, class... Bound>
PENSTOCK_HD PENSTOCK_INLINE run_result run(long long n, Bound... bound) {
  static_assert(detail::require_bindings<P, Bound...>::checked);
#if defined(__CUDA_ARCH__)
  return detail::device_program<P, Options...>::run(n, bound...);
#else
  return detail::host_program<P, Options...>::run(n, bound...);
#endif
}

}  // namespace penstock
