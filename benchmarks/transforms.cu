// Element-wise transforms, conversions and reductions: penstock against cub::DeviceTransform, thrust::transform and
// cub::DeviceReduce.
#include "support/memory.hpp"
#include "support/report.hpp"

#include <penstock/algorithm/convert.hpp>
#include <penstock/algorithm/reduce.hpp>

#include <cub/device/device_reduce.cuh>
#include <cub/device/device_transform.cuh>
#include <cuda/std/tuple>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

namespace {

struct alignas(16) quad {
  float x, y, z, w;
};
__host__ __device__ quad operator+(quad a, quad b) { return {a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w}; }
__host__ __device__ quad operator*(quad a, quad b) { return {a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w}; }

// BabelStream's mul, add and nstream, and one with four inputs. Compilers may fuse them in one way only, so that
// results can be compared bit for bit.
struct stream_op {
  template <class T>
  __host__ __device__ T operator()(T a) const { return static_cast<T>(a + a); }
  template <class T>
  __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
  template <class T>
  __host__ __device__ T operator()(T a, T b, T c) const { return static_cast<T>(a + b * c); }
  template <class T>
  __host__ __device__ T operator()(T a, T b, T c, T d) const { return static_cast<T>((a + b) * (c + d)); }
};
// Some two hundred multiplications an element: what a pipeline is for.
struct long_op {
  __host__ __device__ float operator()(float a, float b) const {
    for (int k = 0; k < 100; ++k) a = fmaf(a, 0.99f, b * 0.01f);
    return a;
  }
};

template <class F, class Out, class... In>
__global__ void reference_kernel(F f, long long n, Out* out, const In*... in) {
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < n;
       k += static_cast<long long>(gridDim.x) * blockDim.x)
    out[k] = static_cast<Out>(f(in[k]...));
}

template <class F, class Out, class... In>
class transform_case {
 public:
  transform_case(bench::report& r, const bench::arena& memory, std::string name, long long count, F f)
      : r_(r),
        memory_(memory),
        name_(std::move(name)),
        n_(count),
        f_(f),
        out_field_(bench::align_up(count * static_cast<long long>(sizeof(Out)))),
        set_(out_field_ + (bench::align_up(count * static_cast<long long>(sizeof(In))) + ...)) {}

  void run(bool quick, bool pipelined, bool tune) {
    if (!r_.wants(name_) || !memory_.holds(set_ + out_field_)) return;
    run(quick, pipelined, tune, std::make_integer_sequence<int, static_cast<int>(sizeof...(In))>{});
  }

 private:
  template <int I>
  auto input(int set) const {
    constexpr long long sizes[] = {static_cast<long long>(sizeof(In))...};
    long long at = out_field_;
    for (int k = 0; k < I; ++k) at += bench::align_up(n_ * sizes[k]);
    using T = std::tuple_element_t<I, std::tuple<In...>>;
    return reinterpret_cast<const T*>(memory_.data() + set_ * set + at);
  }
  Out* out(int set) const { return reinterpret_cast<Out*>(memory_.data() + set_ * set); }

  template <int... I>
  void run(bool quick, bool pipelined, bool tune, std::integer_sequence<int, I...>) {
    const auto f = f_;
    std::vector<bench::contender> who{
        {"penstock",
         [=, this](cudaStream_t s, int k) { penstock::transform(s, out(k), penstock::inputs(input<I>(k)...), n_, f); }},
        {"cub::DeviceTransform", [=, this](cudaStream_t s, int k) {
           bench::require(cub::DeviceTransform::Transform(cuda::std::make_tuple(input<I>(k)...), out(k), n_, f, s),
                          "cub::DeviceTransform");
         }}};
    if constexpr (sizeof...(In) <= 2)
      who.push_back({"thrust::transform", [=, this](cudaStream_t s, int k) {
                       const thrust::device_ptr<const std::tuple_element_t<0, std::tuple<In...>>> first(input<0>(k));
                       if constexpr (sizeof...(In) == 1)
                         thrust::transform(thrust::cuda::par_nosync.on(s), first, first + n_,
                                           thrust::device_ptr<Out>(out(k)), f);
                       else
                         thrust::transform(
                             thrust::cuda::par_nosync.on(s), first, first + n_,
                             thrust::device_ptr<const std::tuple_element_t<1, std::tuple<In...>>>(input<1>(k)),
                             thrust::device_ptr<Out>(out(k)), f);
                     }});
    if constexpr (std::is_same_v<Out, float> && sizeof...(In) <= 2)
      if (pipelined)
        who.push_back({"penstock, pipelined", [=, this](cudaStream_t s, int k) {
                         penstock::transform(s, out(k), penstock::inputs(input<I>(k)...), n_, f,
                                             penstock::pipelined<4096, 4>{8});
                       }});
    if (tune)
      for (int unroll : {1, 2, 4})
        for (int threads : {128, 256, 512})
          for (bool streaming : {false, true}) {
            char policy[64];
            std::snprintf(policy, sizeof policy, "vectorised{%d, %d, %s}", threads, unroll,
                          streaming ? "true" : "false");
            who.push_back({policy, [=, this](cudaStream_t s, int k) {
                             penstock::transform(s, out(k), penstock::inputs(input<I>(k)...), n_, f,
                                                 penstock::vectorised{threads, unroll, streaming});
                           }});
          }
    const auto times = bench::time_all(nullptr, who, {.samples = quick ? 5 : 11, .sets = memory_.sets(set_)});
    const double moved = static_cast<double>(n_) * static_cast<double>(sizeof(Out) + (sizeof(In) + ...));
    using job = penstock::detail::transform_job<F, Out, In...>;
    const std::string step = "step " + std::to_string(job::width * static_cast<int>(sizeof(Out) + (sizeof(In) + ...))) +
                             ", " + std::to_string(static_cast<long long>(moved)) + " bytes";
    unsigned char* reference = memory_.data() + set_;  // set 1, or what follows the only one
    for (std::size_t k = 0; k < who.size(); ++k) {
      bench::require(cudaMemset(out(0), 0xff, static_cast<std::size_t>(out_field_)), "cannot clear");
      who[k].go(nullptr, 0);
      if (k == 0) reference_kernel<<<2048, 256>>>(f, n_, reinterpret_cast<Out*>(reference), input<I>(0)...);
      const bool right = memory_.equal(out(0), reference, n_ * static_cast<long long>(sizeof(Out)));
      r_.add(name_, who[k].name, static_cast<double>(n_), "TB/s", bench::rate(times[k], moved), right, step);
    }
  }

  bench::report& r_;
  const bench::arena& memory_;
  std::string name_;
  long long n_;
  F f_;
  long long out_field_, set_;
};

template <class T>
void streams(bench::report& r, const bench::arena& m, const char* type, bool quick, bool tune) {
  std::vector<long long> counts{1 << 16, 1 << 20, 1 << 24};
  if (!quick) counts.insert(counts.end(), {1ll << 28, 1ll << 30});
  for (long long n : counts) {
    const std::string t = type;
    transform_case<stream_op, T, T>(r, m, "transform, 1 input, " + t, n, {}).run(quick, true, tune);
    transform_case<stream_op, T, T, T>(r, m, "transform, 2 inputs, " + t, n, {}).run(quick, true, tune);
    transform_case<stream_op, T, T, T, T>(r, m, "transform, 3 inputs, " + t, n, {}).run(quick, false, tune);
    transform_case<stream_op, T, T, T, T, T>(r, m, "transform, 4 inputs, " + t, n, {}).run(quick, false, tune);
  }
}

template <class To, class From, class F>
void conversion(bench::report& r, const bench::arena& m, const char* name, F f, bool quick, bool tune) {
  for (long long n : quick ? std::vector<long long>{1 << 24} : std::vector<long long>{1 << 20, 1 << 24, 1ll << 28})
    transform_case<F, To, From>(r, m, name, n, f).run(quick, false, tune);
}

struct plus {
  template <class A, class B>
  __host__ __device__ auto operator()(A a, B b) const { return a + b; }
};
struct larger {
  template <class A>
  __host__ __device__ A operator()(A a, A b) const { return a > b ? a : b; }
};

template <class T, class A, class Op>
void reduction(bench::report& r, const bench::arena& m, const char* name, long long n, A init, Op op, bool quick) {
  const long long field = bench::align_up(n * static_cast<long long>(sizeof(T)));
  if (!r.wants(name) || !m.holds(field)) return;
  m.code();
  A *ours = nullptr, *theirs = nullptr;
  void *room = nullptr, *temporary = nullptr;
  const long long needed = penstock::reduce_scratch<A, T>(n);
  std::size_t temporary_bytes = 0;
  const auto in = [&](int set) { return reinterpret_cast<const T*>(m.data() + field * set); };
  bench::require(cub::DeviceReduce::Reduce(nullptr, temporary_bytes, in(0), theirs, n, op, init), "cub::DeviceReduce");
  bench::require(cudaMalloc(&ours, sizeof(A)), "cannot allocate");
  bench::require(cudaMalloc(&theirs, sizeof(A)), "cannot allocate");
  bench::require(cudaMalloc(&room, static_cast<std::size_t>(needed) + 1), "cannot allocate");
  bench::require(cudaMalloc(&temporary, temporary_bytes), "cannot allocate");
  const std::vector<bench::contender> who{
      {"penstock",
       [&](cudaStream_t s, int k) {
         penstock::reduce(s, ours, in(k), n, init, op, penstock::scratch{room, needed});
       }},
      {"cub::DeviceReduce", [&](cudaStream_t s, int k) {
         bench::require(cub::DeviceReduce::Reduce(temporary, temporary_bytes, in(k), theirs, n, op, init, s),
                        "cub::DeviceReduce");
       }}};
  const auto times = bench::time_all(nullptr, who, {.samples = quick ? 5 : 11, .sets = m.sets(field)});
  A result[3];
  who[0].go(nullptr, 0);
  who[1].go(nullptr, 0);
  bench::require(cudaMemcpy(&result[0], ours, sizeof(A), cudaMemcpyDeviceToHost), "cannot read");
  bench::require(cudaMemcpy(&result[1], theirs, sizeof(A), cudaMemcpyDeviceToHost), "cannot read");
  who[0].go(nullptr, 0);
  bench::require(cudaMemcpy(&result[2], ours, sizeof(A), cudaMemcpyDeviceToHost), "cannot read");
  const double a = static_cast<double>(result[0]), b = static_cast<double>(result[1]);
  const bool close = std::abs(a - b) <= (std::is_floating_point_v<A> ? 1e-4 * std::abs(b) : 0.0);
  const bool same_bits = std::memcmp(&result[0], &result[2], sizeof(A)) == 0;
  for (std::size_t k = 0; k < who.size(); ++k)
    r.add(name, who[k].name, static_cast<double>(n), "TB/s", bench::rate(times[k], static_cast<double>(n) * sizeof(T)),
          close && same_bits);
  for (void* p : {static_cast<void*>(ours), static_cast<void*>(theirs), room, temporary})
    bench::require(cudaFree(p), "cannot free");
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o =
      bench::parse(argc, argv, "Transforms, conversions and reductions. --tune adds every policy.");
  bench::report r(o);
  const bool tune = o.tune;
  const bench::arena m(o.quick ? 4ll << 30 : 100ll << 30);
  streams<signed char>(r, m, "1 byte", o.quick, tune);
  streams<__half>(r, m, "2 bytes", o.quick, tune);
  streams<float>(r, m, "4 bytes", o.quick, tune);
  streams<double>(r, m, "8 bytes", o.quick, tune);
  streams<quad>(r, m, "16 bytes", o.quick, tune);
  conversion<__nv_bfloat16, float>(r, m, "convert, f32 to bf16", penstock::detail::convert_to<__nv_bfloat16>{}, o.quick,
                                   tune);
  conversion<__half, float>(r, m, "convert, f32 to f16", penstock::detail::convert_to<__half>{}, o.quick, tune);
  conversion<float, __nv_bfloat16>(r, m, "convert, bf16 to f32", penstock::detail::convert_to<float>{}, o.quick, tune);
  conversion<float, __half>(r, m, "convert, f16 to f32", penstock::detail::convert_to<float>{}, o.quick, tune);
  conversion<float, double>(r, m, "convert, f64 to f32", penstock::detail::convert_to<float>{}, o.quick, tune);
  conversion<float, unsigned char>(r, m, "convert, u8 to f32, scaled", penstock::detail::scale_to<float>{1.0f / 255.0f},
                                   o.quick, tune);
  transform_case<long_op, float, float, float>(r, m, "transform, 200 multiplications", 1 << 24, {})
      .run(o.quick, true, false);
  for (long long n : o.quick ? std::vector<long long>{1 << 16, 1 << 20, 1 << 24, 1 << 28}
                             : std::vector<long long>{1 << 12, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26,
                                                      1ll << 28, 1ll << 30}) {
    reduction<float, float>(r, m, "reduce, f32 sum", n, 0.0f, plus{}, o.quick);
    reduction<double, double>(r, m, "reduce, f64 sum", n, 0.0, plus{}, o.quick);
    reduction<signed char, int>(r, m, "reduce, i8 sum to i32", n, 0, plus{}, o.quick);
    reduction<int, int>(r, m, "reduce, i32 maximum", n, 0, larger{}, o.quick);
  }
  return r.failed() ? 1 : 0;
}
