// reduce: one value from a stream of elements, with the same bits every time.
#pragma once

#include <penstock/algorithm/detail/reduce_kernel.hpp>
#include <penstock/algorithm/transform.hpp>

namespace penstock {

// Device memory for partial results, used until the reduction is complete and by no other work at that time.
struct scratch {
  void* data = nullptr;
  long long bytes = 0;
};

namespace detail {

template <class A>
constexpr long long scratch_bytes(long long vectors) {
  const long long blocks = shape_reduce(vectors).blocks;
  return blocks == 1 ? 0 : blocks * static_cast<long long>(sizeof(A));
}

struct identity {
  template <class T>
  __device__ __forceinline__ T operator()(T v) const { return v; }
};

template <class Target, class F, class A, class Op, class... Source>
auto admit_reduce(Target dst, const inputs<Source...>& sources, long long count, F f, A init, Op op) {
  static_assert(std::is_same_v<written_element_of<Target>, A>, "the initial value has the type of the result");
  static_assert(std::is_trivially_copyable_v<A> && (std::is_trivially_copyable_v<element_of<Source>> && ...),
                "elements and results travel as bytes: they must be trivially copyable");
  static_assert(std::is_default_constructible_v<A> &&
                    (std::is_default_constructible_v<std::remove_const_t<element_of<Source>>> && ...),
                "elements and results are assembled in registers: they must be default constructible");
  static_assert(sizeof(A) <= 1024, "results are exchanged through shared memory: at most 1024 bytes");
  static_assert(sizeof(F) + sizeof(Op) <= 1024, "functors travel with the kernel's parameters: at most 1024 bytes");
  return std::apply(
      [&](auto... source) {
        A* result = contiguous<Target>::address(dst);
        check_memory(result, sizeof(A), alignof(A), "the result of the reduction");
        const auto admit = [&](auto* in) {
          const long long bytes = checked_bytes(count, sizeof(*in), "the count of elements to reduce");
          check_memory(in, bytes, alignof(std::remove_pointer_t<decltype(in)>), "a source of the reduction");
          check_disjoint(result, sizeof(A), in, bytes, in_place::no, "the result");
        };
        (admit(contiguous<decltype(source)>::address(source)), ...);
        using job_type = reduce_job<A, Op, F, std::remove_const_t<element_of<Source>>...>;
        const auto skip = [](auto* in) {
          constexpr std::size_t size = sizeof(*in);
          return is_power_of_two(size) && size <= 16 ? static_cast<unsigned>(bits(in) % (job_type::width * size)) : 0u;
        };
        return job_type{{static_cast<const void*>(contiguous<decltype(source)>::address(source))...},
                        {skip(contiguous<decltype(source)>::address(source))...},
                        count, count / job_type::width, 0, result, nullptr, init, op, f};
      },
      sources.arrays);
}

template <class A, class Op, class F, class... In>
void check_scratch(const scratch& room, const reduce_job<A, Op, F, In...>& job, long long needed) {
  if (room.bytes < needed)
    refuse(std::errc::invalid_argument, "the scratch memory has " + std::to_string(room.bytes) + " bytes; reducing " +
                                            std::to_string(job.count) + " elements takes " + std::to_string(needed));
  check_memory(room.data, needed, alignof(A), "the scratch memory");
  check_disjoint(room.data, needed, job.result, sizeof(A), in_place::no, "the scratch memory", "the result");
  int k = 0;
  (check_disjoint(room.data, needed, job.in[k++], job.count * static_cast<long long>(sizeof(In)), in_place::no,
                  "the scratch memory", "a source"),
   ...);
}

template <class Job>
void run_reduce(cudaStream_t stream, Job job, const scratch& room) {
  job.partials = static_cast<decltype(job.partials)>(room.data);
  bool shifted = false;
  for (unsigned skip : job.skip) shifted = shifted || skip != 0;
  start_reduce(stream, job, shifted);
}

}  // namespace detail

// Bytes of scratch memory, aligned as A is, that a reduction of `count` elements to one of type A takes; 0 for small
// counts. In is the type of the elements, or the types of several arrays.
template <class A, class... In>
constexpr long long reduce_scratch(long long count) {
  return detail::scratch_bytes<A>(count / detail::vector_width<In...>());
}

// *dst = init op f(in[0]) op f(in[1]) …, grouped and reordered, so op must be associative and commutative; a
// floating-point sum is neither quite, but the grouping depends on the count alone: the result has the same bits in
// every run, at every alignment and on every device. f and op are function objects with a __device__ operator(); dst,
// on the device, may be none of the sources. Two launches, one for small counts, on `stream`, a stream of the current
// device; asynchronous, usable in graph capture. Throws penstock::error before anything is launched: where count is
// negative or too large, an array is null, misaligned or overlaps the result, or the scratch memory is too small,
// misaligned or overlaps any of them.
template <class Target, class F, class A, class Op, class... Source>
void transform_reduce(cudaStream_t stream, Target dst, inputs<Source...> sources, long long count, F f, A init, Op op,
                      scratch room) {
  const auto job = detail::admit_reduce(dst, sources, count, f, init, op);
  detail::check_scratch(room, job, reduce_scratch<A, std::remove_const_t<detail::element_of<Source>>...>(count));
  detail::run_reduce(stream, job, room);
}

// The same with scratch memory from the device's stream-ordered pool, where the count needs any: cudaMallocAsync before
// and cudaFreeAsync after the launches, which in graph capture become nodes of the graph.
template <class Target, class F, class A, class Op, class... Source>
void transform_reduce(cudaStream_t stream, Target dst, inputs<Source...> sources, long long count, F f, A init, Op op) {
  const auto job = detail::admit_reduce(dst, sources, count, f, init, op);
  scratch room{nullptr, reduce_scratch<A, std::remove_const_t<detail::element_of<Source>>...>(count)};
  if (room.bytes > 0)
    require_cuda(cudaMallocAsync(&room.data, static_cast<std::size_t>(room.bytes), stream),
                 "cannot allocate scratch memory for the reduction");
  try {
    detail::run_reduce(stream, job, room);
  } catch (...) {
    if (room.data != nullptr) (void)cudaFreeAsync(room.data, stream);
    throw;
  }
  if (room.data != nullptr)
    require_cuda(cudaFreeAsync(room.data, stream), "cannot free the scratch memory of the reduction");
}

// *dst = init op src[0] op src[1] …: transform_reduce of one array as it is.
template <class Target, class Source, class A, class Op>
void reduce(cudaStream_t stream, Target dst, Source src, long long count, A init, Op op, scratch room) {
  transform_reduce(stream, dst, inputs(src), count, detail::identity{}, init, op, room);
}
template <class Target, class Source, class A, class Op>
void reduce(cudaStream_t stream, Target dst, Source src, long long count, A init, Op op) {
  transform_reduce(stream, dst, inputs(src), count, detail::identity{}, init, op);
}

}  // namespace penstock
