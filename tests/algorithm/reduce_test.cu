// Reductions: right, and the same bits at every alignment, in every run, with any scratch memory.
#include "algorithm/device_array.hpp"
#include "support/refusals.hpp"

#include <penstock/algorithm/reduce.hpp>

#include <algorithm>
#include <climits>
#include <cmath>

namespace {

using namespace penstock;

struct plus {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
struct larger {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const { return a > b ? a : b; }
};
struct times {
  template <class T>
  __host__ __device__ T operator()(T a, T b) const { return a * b; }
};
struct range_of {  // a result of its own type: smallest, largest and sum, 24 bytes
  long long least, most, sum;
};
struct to_range {
  __host__ __device__ range_of operator()(int v) const { return {v, v, v}; }
};
struct join {
  __host__ __device__ range_of operator()(range_of a, range_of b) const {
    return {a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most, a.sum + b.sum};
  }
};

#if defined(__CUDACC__)
constexpr long long fewer = 1;
#else
constexpr long long fewer = 200;  // kernels run on the host
#endif
constexpr long long largest = 20000001 / fewer;
constexpr long long counts[] = {
    0, 1, 2, 3, 15, 16, 17, 255, 1000, 4096, 16383, 16384, 16385, 65537, 1000003 / fewer, largest};

template <class T>
std::vector<T> numbers(long long count) {
  std::vector<T> v(static_cast<std::size_t>(count));
  for (long long k = 0; k < count; ++k) v[static_cast<std::size_t>(k)] = static_cast<T>(device::coded_byte(k, 3) % 100);
  return v;
}

template <class T, class A, class Op>
void integers(A init, Op op) {
  const auto v = numbers<T>(largest + 8);
  const device::array<T> in(v);
  const device::array<A> result(std::vector<A>(1));
  for (long long shift : {0, 1, 5}) {
    for (long long count : counts) {
      A expected = init;
      for (long long k = 0; k < count; ++k)
        expected = op(expected, static_cast<A>(v[static_cast<std::size_t>(shift + k)]));
      reduce(nullptr, result.data(), in.data() + shift, count, init, op);
      INFO(count << " elements of " << sizeof(T) << " from " << shift);
      REQUIRE(result.read()[0] == expected);
    }
  }
}

}  // namespace

TEST_CASE("sums and maxima of integers") {
  integers<int, long long>(5ll, plus{});
  integers<signed char, int>(-3, plus{});
  integers<short, int>(INT_MIN, larger{});
  integers<long long, long long>(0ll, plus{});
}

TEST_CASE("floating-point sums have the same bits wherever the array lies") {
  constexpr long long count = 3000017 / fewer;
  std::vector<float> v(count);
  for (long long k = 0; k < count; ++k)
    v[static_cast<std::size_t>(k)] = 1.0f / static_cast<float>(1 + (k * 7919) % 10007);
  double exact = 0;
  for (float x : v) exact += x;
  std::vector<float> seen;
  for (long long shift : {0, 1, 2, 3, 4, 7}) {
    std::vector<float> moved(static_cast<std::size_t>(shift), -100.0f);
    moved.insert(moved.end(), v.begin(), v.end());
    const device::array<float> in(moved);
    const device::array<float> result(std::vector<float>(1));
    for (int run = 0; run < 3; ++run) {
      reduce(nullptr, result.data(), in.data() + shift, count, 0.0f, plus{});
      seen.push_back(result.read()[0]);
    }
  }
  for (float s : seen) REQUIRE(std::memcmp(&s, &seen[0], sizeof s) == 0);
  CHECK(std::abs(seen[0] - exact) < 1e-5 * exact);
}

TEST_CASE("transformed inputs and results of other types") {
  constexpr long long count = 777777 / fewer;
  const auto a = numbers<float>(count), b = numbers<float>(count + 1);
  const device::array<float> da(a), db(b);
  const device::array<double> dot(std::vector<double>(1));
  double expected = 0;
  for (long long k = 0; k < count; ++k) expected += a[static_cast<std::size_t>(k)] * b[static_cast<std::size_t>(k + 1)];
  transform_reduce(nullptr, dot.data(), inputs(da.data(), db.data() + 1), count, times{}, 0.0, plus{});
  CHECK(dot.read()[0] == expected);  // whole numbers: exact in any order

  const auto v = numbers<int>(count);
  const device::array<int> in(v);
  const device::array<range_of> range(std::vector<range_of>(1));
  transform_reduce(nullptr, range.data(), inputs(in.data()), count, to_range{}, range_of{1000, -1000, 0}, join{});
  const range_of r = range.read()[0];
  CHECK(r.least == *std::min_element(v.begin(), v.end()));
  CHECK(r.most == *std::max_element(v.begin(), v.end()));
  long long sum = 0;
  for (int x : v) sum += x;
  CHECK(r.sum == sum);
}

#if defined(__CUDACC__)
TEST_CASE("given scratch memory, in a graph, launched again and again") {
  constexpr long long count = 5000011;
  const auto v = numbers<int>(count);
  const device::array<int> in(v);
  const device::array<int> result(std::vector<int>(2));
  const device::bytes room(reduce_scratch<int, int>(count));
  int expected = 0;
  for (int x : v) expected += x;
  cudaStream_t stream = nullptr;
  device::require(cudaStreamCreate(&stream));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t program = nullptr;
  device::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  reduce(stream, result.data(), in.data(), count, 0, plus{}, scratch{room.data(), room.size()});
  reduce(stream, result.data() + 1, result.data(), 1, 1, plus{}, scratch{room.data(), room.size()});
  device::require(cudaStreamEndCapture(stream, &graph));
  device::require(cudaGraphInstantiate(&program, graph, 0));
  for (int k = 0; k < 50; ++k) device::require(cudaGraphLaunch(program, stream));
  device::require(cudaStreamSynchronize(stream));
  CHECK(result.read() == std::vector<int>{expected, expected + 1});
  device::require(cudaGraphExecDestroy(program));
  device::require(cudaGraphDestroy(graph));
  device::require(cudaStreamDestroy(stream));
}
#endif

TEST_CASE("what is refused launches nothing, and says what was given and what is allowed") {
  constexpr long long count = 100000;
  const device::array<int> a(std::vector<int>(count, 1)), result(std::vector<int>(1, 7));
  const long long needed = reduce_scratch<int, int>(count);
  REQUIRE(needed > 0);
  CHECK(refused([&] { reduce(nullptr, result.data(), a.data(), -1, 0, plus{}); },
                "the count of elements to reduce is -1"));
  CHECK(refused([&] { reduce(nullptr, result.data(), static_cast<int*>(nullptr), 5, 0, plus{}); },
                "a source of the reduction is null"));
  CHECK(refused([&] { reduce(nullptr, static_cast<int*>(nullptr), a.data(), 5, 0, plus{}); },
                "the result of the reduction is null"));
  CHECK(refused([&] { reduce(nullptr, a.data() + 3, a.data(), 10, 0, plus{}); }, "the result, 4 bytes at"));
  CHECK(refused([&] { reduce(nullptr, result.data(), a.data(), count, 0, plus{}, scratch{}); },
                "the scratch memory has 0 bytes"));
  CHECK(refused(
      [&] {
        reduce(nullptr, result.data(), a.data(), count, 0, plus{}, scratch{nullptr, needed});
      },
      "the scratch memory is null"));
  CHECK(refused(
      [&] {
        reduce(nullptr, result.data(), a.data(), count, 0, plus{}, scratch{a.data() + 1, needed});
      },
      "overlaps a source"));
  CHECK(refused(
      [&] {
        reduce(nullptr, result.data(), a.data(), count, 0, plus{}, scratch{result.data(), needed});
      },
      "overlaps the result"));
  device::require(cudaDeviceSynchronize());
  CHECK(result.read()[0] == 7);
}
