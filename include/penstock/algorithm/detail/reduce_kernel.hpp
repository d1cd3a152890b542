// The kernels of reduce. Elements go to blocks, threads and accumulators by their index alone, so that one count has
// one order of operations: the same bits on every device, at every alignment, in every run.
#pragma once

#include <penstock/algorithm/detail/start.hpp>
#include <penstock/algorithm/detail/transform_kernel.hpp>

namespace penstock::detail {

inline constexpr int reduce_threads = 256;
inline constexpr int reduce_unroll = 4;
inline constexpr int finish_threads = 1024;
inline constexpr long long most_partials = 16384;

// How `vectors` vectors are dealt to blocks: stretches of one length, by the count alone. Short ones while that spreads
// little work over all multiprocessors, then whatever leaves few enough partial results.
struct reduce_shape {
  long long blocks, stretch;
};
constexpr reduce_shape shape_reduce(long long vectors) {
  constexpr long long step = reduce_threads * reduce_unroll;
  long long stretch = ceil_div(ceil_div(vectors, 1024), reduce_threads) * reduce_threads;
  if (stretch < reduce_threads) stretch = reduce_threads;
  if (stretch > step) stretch = step;
  if (const long long least = ceil_div(vectors, most_partials); least > stretch) stretch = ceil_div(least, step) * step;
  const long long blocks = ceil_div(vectors, stretch);
  return {blocks < 1 ? 1 : blocks, stretch};
}

template <class A, class Op, class F, class... In>
struct reduce_job {
  static constexpr int width = vector_width<In...>();
  const void* in[sizeof...(In)];
  unsigned skip[sizeof...(In)];
  long long count, vectors, stretch;
  A* result;
  A* partials;  // null: the only block writes the result
  A init;
  Op op;
  F f;
};

template <class A>
__device__ __forceinline__ A shuffle_down(A value, int distance) {
  constexpr int words = (sizeof(A) + 3) / 4;
  unsigned w[words] = {};
  __builtin_memcpy(w, &value, sizeof(A));
#pragma unroll
  for (int k = 0; k < words; ++k) w[k] = __shfl_down_sync(0xffffffffu, w[k], distance);
  __builtin_memcpy(&value, w, sizeof(A));
  return value;
}

// The values of lanes 0 … valid-1, combined in one order; meaningful in lane 0.
template <class A, class Op>
__device__ __forceinline__ A combine_warp(A mine, int valid, Op& op) {
  const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
  for (int d = 16; d > 0; d /= 2) {
    const A other = shuffle_down(mine, d);
    if (lane + d < valid) mine = op(mine, other);
  }
  return mine;
}

// The values of threads 0 … valid-1 (valid > 0); meaningful in thread 0.
template <class A, class Op>
__device__ __forceinline__ A combine_block(A mine, int valid, Op& op) {
  __shared__ __align__(16) unsigned char room[32 * sizeof(A)];
  A* of_warps = reinterpret_cast<A*>(room);
  const int warp = static_cast<int>(threadIdx.x / 32);
  mine = combine_warp(mine, valid - 32 * warp, op);
  if (threadIdx.x % 32 == 0 && 32 * warp < valid) of_warps[warp] = mine;
  __syncthreads();
  if (warp == 0) {
    const int warps = (valid + 31) / 32;
    if (static_cast<int>(threadIdx.x) < warps) mine = of_warps[threadIdx.x];
    mine = combine_warp(mine, warps, op);
  }
  return mine;
}

// The first and last vector of a misaligned input reach beyond the array as aligned words: they are read one by one.
template <bool Shift, class Job, class... In, int... I>
__device__ __forceinline__ auto load_inputs(const Job& job, long long i, std::integer_sequence<int, I...>,
                                            std::type_identity<In>...) {
  const auto load = [&]<class T>(const void* base, unsigned skip, std::type_identity<T>) {
    const T* p = static_cast<const T*>(base);
    if constexpr (Shift) {
      if (i == 0 || i + 1 == job.vectors) {
        T e[Job::width];
#pragma unroll
        for (int k = 0; k < Job::width; ++k) e[k] = p[i * Job::width + k];
        vector_of<T, Job::width> v;
        __builtin_memcpy(&v.packed, e, sizeof(e));
        return v;
      }
    }
    return load_vector<Shift, false, Job::width>(p, i, skip);
  };
  using all = vectors_of<std::integer_sequence<int, I...>, Job::width, In...>;
  all v;
  ((static_cast<vector_of<In, Job::width>&>(static_cast<indexed_vector<I, In, Job::width>&>(v)) =
        load(job.in[I], job.skip[I], std::type_identity<In>{})), ...);
  return v;
}

template <class A, class Job, class... In, int... I>
__device__ __forceinline__ A value_of(Job& job, long long i, std::integer_sequence<int, I...>,
                                      std::type_identity<In>...) {
  return static_cast<A>(job.f(static_cast<const In*>(job.in[I])[i]...));
}

template <bool Shift, class A, class Op, class F, class... In>
__global__ void __launch_bounds__(reduce_threads) reduce_kernel(reduce_job<A, Op, F, In...> job) {
  using job_type = reduce_job<A, Op, F, In...>;
  using indices = std::make_integer_sequence<int, sizeof...(In)>;
  constexpr int width = job_type::width;
  const long long begin = blockIdx.x * job.stretch;
  const long long end = job.vectors - begin < job.stretch ? job.vectors : begin + job.stretch;
  const auto load = [&](long long i) { return load_inputs<Shift>(job, i, indices{}, std::type_identity<In>{}...); };
  A sum[width];
  long long i = begin + threadIdx.x;
  begin_grid();
  if (i < end) {
    const auto v = load(i).template map_to<A>(job.f);
#pragma unroll
    for (int k = 0; k < width; ++k) sum[k] = v.e[k];
    i += reduce_threads;
  }
  const auto take = [&](const auto& loaded) {
    const auto v = loaded.template map_to<A>(job.f);
#pragma unroll
    for (int k = 0; k < width; ++k) sum[k] = job.op(sum[k], v.e[k]);
  };
  for (; i + (reduce_unroll - 1) * reduce_threads < end; i += reduce_unroll * reduce_threads) {
    decltype(load(i)) v[reduce_unroll];
#pragma unroll
    for (int k = 0; k < reduce_unroll; ++k) v[k] = load(i + k * reduce_threads);
#pragma unroll
    for (int k = 0; k < reduce_unroll; ++k) take(v[k]);
  }
  for (; i < end; i += reduce_threads) take(load(i));

  A mine;
  if (begin + threadIdx.x < end) {  // elsewhere there is nothing that op may be given
    mine = sum[0];
#pragma unroll
    for (int k = 1; k < width; ++k) mine = job.op(mine, sum[k]);
  }
  const long long vectors = end - begin;
  if (vectors > 0)
    mine = combine_block(mine, vectors < reduce_threads ? static_cast<int>(vectors) : reduce_threads, job.op);
  if (threadIdx.x > 0) return;
  if (job.partials != nullptr) {
    job.partials[blockIdx.x] = mine;
    return;
  }
  A total = vectors > 0 ? job.op(job.init, mine) : job.init;
  for (long long k = job.vectors * width; k < job.count; ++k)
    total = job.op(total, value_of<A>(job, k, indices{}, std::type_identity<In>{}...));
  *job.result = total;
}

template <class A, class Op, class F, class... In>
__global__ void __launch_bounds__(finish_threads)
    reduce_partials_kernel(reduce_job<A, Op, F, In...> job, int partials) {
  using indices = std::make_integer_sequence<int, sizeof...(In)>;
  begin_grid();
  A mine = job.init;
  int k = static_cast<int>(threadIdx.x);
  if (k < partials) mine = job.partials[k];
#pragma unroll 8
  for (k += finish_threads; k < partials; k += finish_threads) mine = job.op(mine, job.partials[k]);
  mine = combine_block(mine, partials < finish_threads ? partials : finish_threads, job.op);
  if (threadIdx.x > 0) return;
  A total = job.op(job.init, mine);
  for (long long i = job.vectors * reduce_job<A, Op, F, In...>::width; i < job.count; ++i)
    total = job.op(total, value_of<A>(job, i, indices{}, std::type_identity<In>{}...));
  *job.result = total;
}

template <class A, class Op, class F, class... In>
void start_reduce(cudaStream_t stream, reduce_job<A, Op, F, In...> job, bool shifted) {
  const reduce_shape shape = shape_reduce(job.vectors);
  job.stretch = shape.stretch;
  if (shape.blocks == 1) job.partials = nullptr;
  const auto first = shifted ? reduce_kernel<true, A, Op, F, In...> : reduce_kernel<false, A, Op, F, In...>;
  start(stream, grid_shape{static_cast<unsigned>(shape.blocks), reduce_threads}, "cannot launch the reduction", first,
        job);
  if (shape.blocks == 1) return;
  start(stream, grid_shape{1, finish_threads}, "cannot launch the end of the reduction",
        reduce_partials_kernel<A, Op, F, In...>, job, static_cast<int>(shape.blocks));
}

}  // namespace penstock::detail
