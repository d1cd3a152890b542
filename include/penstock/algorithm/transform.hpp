// transform: out[k] = f(in0[k], …) over one to four arrays.
//
// Light functors are bound by memory alone, and there plain vector accesses are fastest; a functor of 200
// multiplications still is faster so (docs/benchmarks.md). With `pipelined<>{}` copies run ahead of the functor through
// shared memory.
#pragma once

#include <penstock/algorithm/detail/transform_line.hpp>

#include <tuple>

namespace penstock {

// The arrays a functor reads: one to four pointers or contiguous iterators, in the order of its parameters.
template <class... Iterator>
struct inputs {
  static_assert(sizeof...(Iterator) >= 1 && sizeof...(Iterator) <= 4, "a transform reads one to four arrays");
  std::tuple<Iterator...> arrays;
  explicit constexpr inputs(Iterator... i) : arrays(i...) {}
};

namespace detail {

template <class Target, class F, class... Source>
auto admit_transform(Target dst, const inputs<Source...>& sources, long long count, F f) {
  using Out = written_element_of<Target>;
  static_assert(std::is_trivially_copyable_v<Out> && (std::is_trivially_copyable_v<element_of<Source>> && ...),
                "transform moves elements as bytes: they must be trivially copyable");
  static_assert(std::is_default_constructible_v<Out> &&
                    (std::is_default_constructible_v<std::remove_const_t<element_of<Source>>> && ...),
                "elements are assembled in registers: they must be default constructible");
  static_assert(sizeof(F) <= 2048, "a functor travels with the kernel's parameters: at most 2048 bytes");
  return std::apply(
      [&](auto... source) {
        Out* out = contiguous<Target>::address(dst);
        const long long out_bytes = checked_bytes(count, sizeof(Out), "the count of elements to transform");
        check_memory(out, out_bytes, alignof(Out), "the target of the transform");
        const auto admit = [&](auto* in) {
          const long long bytes = checked_bytes(count, sizeof(*in), "the count of elements to transform");
          check_memory(in, bytes, alignof(std::remove_pointer_t<decltype(in)>), "a source of the transform");
          check_disjoint(out, out_bytes, in, bytes, sizeof(*in) == sizeof(Out) ? in_place::yes : in_place::no);
        };
        (admit(contiguous<decltype(source)>::address(source)), ...);
        using job = transform_job<F, Out, std::remove_const_t<element_of<Source>>...>;
        const array_place places[] = {{bits(contiguous<decltype(source)>::address(source)),
                                       static_cast<long long>(sizeof(element_of<Source>))}...};
        return job{out, {static_cast<const void*>(contiguous<decltype(source)>::address(source))...},
                   split(job::width, array_place{bits(out), static_cast<long long>(sizeof(Out))}, places, count), f};
      },
      sources.arrays);
}

template <class F, class Out, class... In>
vectorised policy_for(const transform_job<F, Out, In...>& job) {
  constexpr int element = static_cast<int>(sizeof(Out) + (sizeof(In) + ...));
  return transform_policy(compute_capability(current_device()), transform_job<F, Out, In...>::width * element,
                          job.split.count * element);
}

}  // namespace detail

// dst[k] = f(in0[k], in1[k], …) for k below count, with the shape of kernel that the caller asks for. On `stream`, a
// stream of the current device; asynchronous, usable in graph capture, no temporary memory. f is copied to the device
// and called there once per element; it is a function object with a __device__ operator(). The target may be one of the
// sources if their elements are of one size; otherwise they must not overlap. Throws penstock::error before anything is
// launched: where count is negative or too large, an array is null, misaligned or overlaps the target, or the policy is
// none.
template <class Target, class F, class... Source>
void transform(cudaStream_t stream, Target dst, inputs<Source...> sources, long long count, F f, vectorised policy) {
  const auto job = detail::admit_transform(dst, sources, count, f);
  detail::check_policy(policy);
  if (count > 0) detail::transform_vectorised(stream, job, policy);
}

// The same in the way that is fastest for this device, types and size; see policy_table.hpp.
template <class Target, class F, class... Source>
void transform(cudaStream_t stream, Target dst, inputs<Source...> sources, long long count, F f) {
  const auto job = detail::admit_transform(dst, sources, count, f);
  if (count > 0) detail::transform_vectorised(stream, job, detail::policy_for(job));
}

// The same through a pipeline: tiles of the inputs are copied ahead of the functor. Arrays whose addresses differ
// modulo their vectors take the plain way.
template <class Target, class F, class... Source, int Tile, int Depth>
void transform(cudaStream_t stream, Target dst, inputs<Source...> sources, long long count, F f,
               pipelined<Tile, Depth> policy) {
  const auto job = detail::admit_transform(dst, sources, count, f);
  detail::check_policy(policy);
  if (count == 0) return;
  if (job.split.shifted || job.split.vectors == 0) detail::transform_vectorised(stream, job, vectorised{});
  else detail::transform_pipelined<Tile, Depth>(stream, job, policy.tiles);
}

// One source, given as it is, in each of these ways.
template <class Target, class Source, class F, class... Policy>
  requires(detail::policies<Policy...>)
void transform(cudaStream_t stream, Target dst, Source source, long long count, F f, Policy... policy) {
  transform(stream, dst, inputs(source), count, f, policy...);
}

}  // namespace penstock
