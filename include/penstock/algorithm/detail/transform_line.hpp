// transform through a declared pipeline: inputs and output stream through rings of tiles while the functor computes.
#pragma once

#include <penstock/algorithm/detail/transform_kernel.hpp>
#include <penstock/run/launch.hpp>
#include <penstock/run/run.hpp>

namespace penstock::detail {

template <int Elements, int Depth, class Out, class... In>
struct transform_line;
template <int E, int D, class Out, class A>
struct transform_line<E, D, Out, A> {
  using type = pipeline<buffer<"a", A[E], depth<D>>, buffer<"out", Out[E], depth<2>>,
                        stage<"read a", async, writes<"a">>, stage<"compute", sync, reads<"a">, writes<"out">>,
                        stage<"write", async, reads<"out">>>;
};
template <int E, int D, class Out, class A, class B>
struct transform_line<E, D, Out, A, B> {
  using type = pipeline<buffer<"a", A[E], depth<D>>, buffer<"b", B[E], depth<D>>, buffer<"out", Out[E], depth<2>>,
                        stage<"read a", async, writes<"a">>, stage<"read b", async, writes<"b">>,
                        stage<"compute", sync, reads<"a">, reads<"b">, writes<"out">>,
                        stage<"write", async, reads<"out">>>;
};
template <int E, int D, class Out, class A, class B, class C>
struct transform_line<E, D, Out, A, B, C> {
  using type =
      pipeline<buffer<"a", A[E], depth<D>>, buffer<"b", B[E], depth<D>>, buffer<"c", C[E], depth<D>>,
               buffer<"out", Out[E], depth<2>>, stage<"read a", async, writes<"a">>,
               stage<"read b", async, writes<"b">>, stage<"read c", async, writes<"c">>,
               stage<"compute", sync, reads<"a">, reads<"b">, reads<"c">, writes<"out">>,
               stage<"write", async, reads<"out">>>;
};
template <int E, int D, class Out, class A, class B, class C, class X>
struct transform_line<E, D, Out, A, B, C, X> {
  using type =
      pipeline<buffer<"a", A[E], depth<D>>, buffer<"b", B[E], depth<D>>, buffer<"c", C[E], depth<D>>,
               buffer<"d", X[E], depth<D>>, buffer<"out", Out[E], depth<2>>, stage<"read a", async, writes<"a">>,
               stage<"read b", async, writes<"b">>, stage<"read c", async, writes<"c">>,
               stage<"read d", async, writes<"d">>,
               stage<"compute", sync, reads<"a">, reads<"b">, reads<"c">, reads<"d">, writes<"out">>,
               stage<"write", async, reads<"out">>>;
};

// The stretch of the arrays that one block works on, tile by tile.
template <int Elements, class F, class Out, class... In>
struct tile_stretch {
  const transform_job<F, Out, In...>& job;
  long long first, count;  // elements
  __device__ __forceinline__ long long part(long long i) const {
    const long long left = count - i * Elements;
    return left < Elements ? left : Elements;
  }
  template <int I, class T>
  __device__ __forceinline__ auto source() const {
    const T* base = static_cast<const T*>(job.in[I]) + job.split.head + first;
    return [this, base](long long i) { return from(base + i * Elements, part(i)); };
  }
  __device__ __forceinline__ auto target() const {
    Out* base = job.out + job.split.head + first;
    return [this, base](long long i) { return to(base + i * Elements, part(i)); };
  }
};

template <int Width, class F, class Group, class Out, class... In>
__device__ __forceinline__ void compute_tile(F& f, const Group& group, Out* out, int elements, const In*... in) {
  for (int k = group.rank(); k < elements / Width; k += group.size())
    store_vector<false, Width>(
        out, k, apply<Out, Width>(f, elements_of<In, Width>(load_vector<false, false, Width>(in, k, 0u))...));
}

template <int Elements, int Depth, class F, class Out, class... In>
__global__ void transform_tiles_kernel(transform_job<F, Out, In...> job, int tiles) {
  using job_type = transform_job<F, Out, In...>;
  using line = typename transform_line<Elements, Depth, Out, In...>::type;
  constexpr int width = job_type::width;
  const long long stretch = static_cast<long long>(tiles) * Elements;
  const long long first = blockIdx.x * stretch, all = job.split.vectors * width;
  const tile_stretch<Elements, F, Out, In...> s{job, first, all - first < stretch ? all - first : stretch};
  const long long n = s.count > 0 ? (s.count + Elements - 1) / Elements : 0;
  if constexpr (sizeof...(In) == 1) {
    [&]<class A>(std::type_identity<A>) {
      run<line>(n, on<"read a">(s.template source<0, A>()),
                on<"compute">([&](auto group, auto& a, auto& out, long long i) {
                  compute_tile<width>(job.f, group, out, static_cast<int>(s.part(i)), a);
                }),
                on<"write">(s.target()));
    }(std::type_identity<In>{}...);
  } else if constexpr (sizeof...(In) == 2) {
    [&]<class A, class B>(std::type_identity<A>, std::type_identity<B>) {
      run<line>(n, on<"read a">(s.template source<0, A>()), on<"read b">(s.template source<1, B>()),
                on<"compute">([&](auto group, auto& a, auto& b, auto& out, long long i) {
                  compute_tile<width>(job.f, group, out, static_cast<int>(s.part(i)), a, b);
                }),
                on<"write">(s.target()));
    }(std::type_identity<In>{}...);
  } else if constexpr (sizeof...(In) == 3) {
    [&]<class A, class B, class C>(std::type_identity<A>, std::type_identity<B>, std::type_identity<C>) {
      run<line>(n, on<"read a">(s.template source<0, A>()), on<"read b">(s.template source<1, B>()),
                on<"read c">(s.template source<2, C>()),
                on<"compute">([&](auto group, auto& a, auto& b, auto& c, auto& out, long long i) {
                  compute_tile<width>(job.f, group, out, static_cast<int>(s.part(i)), a, b, c);
                }),
                on<"write">(s.target()));
    }(std::type_identity<In>{}...);
  } else {
    [&]<class A, class B, class C, class D>(std::type_identity<A>, std::type_identity<B>, std::type_identity<C>,
                                            std::type_identity<D>) {
      run<line>(n, on<"read a">(s.template source<0, A>()), on<"read b">(s.template source<1, B>()),
                on<"read c">(s.template source<2, C>()), on<"read d">(s.template source<3, D>()),
                on<"compute">([&](auto group, auto& a, auto& b, auto& c, auto& d, auto& out, long long i) {
                  compute_tile<width>(job.f, group, out, static_cast<int>(s.part(i)), a, b, c, d);
                }),
                on<"write">(s.target()));
    }(std::type_identity<In>{}...);
  }
  if (blockIdx.x == 0) transform_ends(job);
}

template <int Tile, int Depth, class F, class Out, class... In>
void transform_pipelined(cudaStream_t stream, const transform_job<F, Out, In...>& job, int tiles) {
  constexpr int elements = Tile / 16 * transform_job<F, Out, In...>::width;
  using line = typename transform_line<elements, Depth, Out, In...>::type;
  const long long all = job.split.vectors * transform_job<F, Out, In...>::width;
  const unsigned blocks = grid_for(all, static_cast<long long>(tiles) * elements, "the transform");
  penstock::launch<line>(stream, dim3(blocks), transform_tiles_kernel<elements, Depth, F, Out, In...>, job, tiles);
}

}  // namespace penstock::detail
