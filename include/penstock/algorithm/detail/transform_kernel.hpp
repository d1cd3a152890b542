// The kernels of transform: vectors of every array by plain loads and stores.
#pragma once

#include <penstock/algorithm/detail/start.hpp>
#include <penstock/algorithm/detail/vectors.hpp>

namespace penstock::detail {

template <class F, class Out, class... In>
struct transform_job {
  static constexpr int inputs = sizeof...(In);
  static constexpr int width = vector_width<Out, In...>();
  using indices = std::make_integer_sequence<int, inputs>;
  Out* out;
  const void* in[inputs > 0 ? inputs : 1];
  split_arrays<inputs> split;
  F f;
};

template <class T, int Width>
struct values {
  T e[Width];
};

template <class Out, int Width, class F, class... In>
__device__ __forceinline__ values<Out, Width> map(F& f, const elements_of<In, Width>&... in) {
  values<Out, Width> r;
#pragma unroll
  for (int k = 0; k < Width; ++k) r.e[k] = static_cast<Out>(f(in.e[k]...));
  return r;
}

template <class Out, int Width, class F, class... In>
__device__ __forceinline__ vector_of<Out, Width> apply(F& f, const elements_of<In, Width>&... in) {
  const values<Out, Width> r = map<Out, Width>(f, in...);
  vector_of<Out, Width> v;
  __builtin_memcpy(&v.packed, r.e, sizeof(r.e));
  return v;
}

// One element of each array, for the ends that no vector covers.
template <class F, class Out, class... In, int... I>
__device__ __forceinline__ void transform_one(transform_job<F, Out, In...>& job, long long i,
                                              std::integer_sequence<int, I...>) {
  job.out[i] = static_cast<Out>(job.f(static_cast<const In*>(job.in[I])[i]...));
}

template <class F, class Out, class... In>
__device__ __forceinline__ void transform_ends(transform_job<F, Out, In...>& job) {
  using job_type = transform_job<F, Out, In...>;
  for (long long k = threadIdx.x; k < job.split.head; k += blockDim.x)
    transform_one(job, k, typename job_type::indices{});
  const long long rest = job.split.head + job_type::width * job.split.vectors;
  for (long long k = rest + threadIdx.x; k < job.split.count; k += blockDim.x)
    transform_one(job, k, typename job_type::indices{});
}

template <int I, class T, int Width>
struct indexed_vector : vector_of<T, Width> {};
template <class Indices, int Width, class... In>
struct vectors_of;
template <int... I, int Width, class... In>
struct vectors_of<std::integer_sequence<int, I...>, Width, In...> : indexed_vector<I, In, Width>... {
  template <bool Shift, bool Streaming, class Job>
  __device__ __forceinline__ void load(const Job& job, long long i) {
    ((static_cast<vector_of<In, Width>&>(static_cast<indexed_vector<I, In, Width>&>(*this)) =
          load_vector<Shift, Streaming, Width>(static_cast<const In*>(job.in[I]) + job.split.head, i,
                                               job.split.skip[I])),
     ...);
  }
  template <class A, class F>
  __device__ __forceinline__ values<A, Width> map_to(F& f) const {
    return map<A, Width>(f, elements_of<In, Width>(static_cast<const indexed_vector<I, In, Width>&>(*this))...);
  }
  template <class Out, class F>
  __device__ __forceinline__ vector_of<Out, Width> apply_to(F& f) const {
    return apply<Out, Width>(f, elements_of<In, Width>(static_cast<const indexed_vector<I, In, Width>&>(*this))...);
  }
};

template <int Unroll, bool Shift, bool Streaming, class F, class Out, class... In>
__global__ void __launch_bounds__(512) transform_kernel(transform_job<F, Out, In...> job) {
  using job_type = transform_job<F, Out, In...>;
  constexpr int width = job_type::width;
  const long long first = static_cast<long long>(blockIdx.x) * (Unroll * blockDim.x) + threadIdx.x;
  vectors_of<typename job_type::indices, width, In...> v[Unroll];
  begin_grid();
#pragma unroll
  for (int k = 0; k < Unroll; ++k)
    if (const long long i = first + k * blockDim.x; i < job.split.vectors) v[k].template load<Shift, Streaming>(job, i);
#pragma unroll
  for (int k = 0; k < Unroll; ++k)
    if (const long long i = first + k * blockDim.x; i < job.split.vectors)
      store_vector<Streaming, width>(job.out + job.split.head, i, v[k].template apply_to<Out>(job.f));
  if (blockIdx.x == 0) transform_ends(job);
}

// Elements that fit no vector: one thread each.
template <class F, class Out, class... In>
__global__ void __launch_bounds__(512) transform_each_kernel(transform_job<F, Out, In...> job) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  begin_grid();
  if (i < job.split.count) transform_one(job, i, typename transform_job<F, Out, In...>::indices{});
}

template <int Unroll, class F, class Out, class... In>
void transform_unrolled(cudaStream_t stream, const transform_job<F, Out, In...>& job, const vectorised& p) {
  grid_shape shape;
  shape.blocks = grid_for(job.split.vectors, static_cast<long long>(Unroll) * p.threads, "the transform");
  shape.threads = p.threads;
  const auto kernel = p.streaming ? transform_kernel<Unroll, false, true, F, Out, In...>
                                  : transform_kernel<Unroll, false, false, F, Out, In...>;
  start(stream, shape, "cannot launch the transform", kernel, job);
}

template <class F, class Out, class... In>
void transform_vectorised(cudaStream_t stream, const transform_job<F, Out, In...>& job, const vectorised& p) {
  grid_shape shape;
  shape.threads = p.threads;
  if (job.split.vectors == 0) {
    shape.blocks = grid_for(job.split.count, p.threads, "the transform");
    start(stream, shape, "cannot launch the transform", transform_each_kernel<F, Out, In...>, job);
  } else if (job.split.shifted) {
    shape.blocks = grid_for(job.split.vectors, p.threads, "the transform");
    start(stream, shape, "cannot launch the transform", transform_kernel<1, true, false, F, Out, In...>, job);
  } else if (p.unroll == 1) {
    transform_unrolled<1>(stream, job, p);
  } else if (p.unroll == 2) {
    transform_unrolled<2>(stream, job, p);
  } else {
    transform_unrolled<4>(stream, job, p);
  }
}

}  // namespace penstock::detail
