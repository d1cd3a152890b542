// transform and convert: one to four inputs, types of different sizes, every alignment of each, in place; every policy.
#include "algorithm/device_array.hpp"
#include "support/refusals.hpp"

#include <penstock/algorithm/convert.hpp>
#include <penstock/algorithm/transform.hpp>

#include <algorithm>

namespace {

using namespace penstock;

#if defined(__CUDACC__)
constexpr bool on_device = true;
#else
constexpr bool on_device = false;  // kernels run on the host: no pipelines, smaller sizes
#endif
constexpr long long large = on_device ? 1000003 : 50003;

struct sum {
  template <class... T>
  __host__ __device__ auto operator()(T... v) const { return (v + ...); }
};

template <class T>
std::vector<T> numbers(long long count, unsigned seed) {
  std::vector<T> v(static_cast<std::size_t>(count));
  for (long long k = 0; k < count; ++k) {
    const int x = device::coded_byte(k, seed) % 50 + (sizeof(T) > 1 ? static_cast<int>(k % 977) : 0);
    v[static_cast<std::size_t>(k)] = static_cast<T>(x);
  }
  return v;
}

// Two inputs and an output, each at an offset of its own; elements beside the output must not change.
template <class Out, class A, class B, class... Policy>
void two_inputs(int out_at, int a_at, int b_at, const std::vector<long long>& counts, Policy... policy) {
  long long longest = 0;
  for (long long c : counts) longest = std::max(longest, c);
  const auto a = numbers<A>(longest + 40, 1);
  const auto b = numbers<B>(longest + 40, 2);
  const device::array<A> da(a);
  const device::array<B> db(b);
  for (long long count : counts) {
    std::vector<Out> expected(static_cast<std::size_t>(longest + 40), static_cast<Out>(77));
    const device::array<Out> out(expected);
    transform(nullptr, out.data() + out_at, inputs(da.data() + a_at, db.data() + b_at), count, sum{}, policy...);
    for (long long k = 0; k < count; ++k)
      expected[static_cast<std::size_t>(out_at + k)] =
          static_cast<Out>(a[static_cast<std::size_t>(a_at + k)] + b[static_cast<std::size_t>(b_at + k)]);
    INFO(count << " elements of sizes " << sizeof(Out) << ", " << sizeof(A) << ", " << sizeof(B) << " at " << out_at
               << ", " << a_at << ", " << b_at);
    REQUIRE(out.read() == expected);
  }
}

template <class Out, class A, class B>
void every_offset() {
  const std::vector<long long> counts{1, 3, 16, 31, 64, 301, 4096, 5003};
  for (int out : {0, 1, 3})
    for (int a : {0, 1, 2, 7})
      for (int b : {0, 1, 5}) two_inputs<Out, A, B>(out, a, b, counts);
  two_inputs<Out, A, B>(0, 0, 0, {large});
  two_inputs<Out, A, B>(1, 1, 1, {large}, vectorised{128, 4, true});
  if (!on_device) return;
  two_inputs<Out, A, B>(0, 0, 0, {200003}, pipelined<>{3});
  two_inputs<Out, A, B>(3, 2, 1, {20003}, pipelined<>{3});
}

struct three_floats {
  float x, y, z;
  bool operator==(const three_floats&) const = default;
};
struct twice {
  __host__ __device__ three_floats operator()(three_floats v) const { return {2 * v.x, 2 * v.y, 2 * v.z}; }
};
struct first_of {
  __host__ __device__ float operator()(three_floats v) const { return v.x; }
};

}  // namespace

TEST_CASE("bytes") { every_offset<signed char, signed char, signed char>(); }
TEST_CASE("floats") { every_offset<float, float, float>(); }
TEST_CASE("doubles") { every_offset<double, double, double>(); }
TEST_CASE("mixed sizes") {
  every_offset<float, unsigned char, short>();
  every_offset<short, double, unsigned char>();
}

TEST_CASE("one, three and four inputs, by both ways") {
  constexpr long long count = 30011;
  const auto a = numbers<float>(count, 1), b = numbers<float>(count, 2), c = numbers<float>(count, 3),
             d = numbers<float>(count, 4);
  const device::array<float> da(a), db(b), dc(c), dd(d);
  const auto check = [&](auto expect, auto go) {
    std::vector<float> expected(count);
    for (std::size_t k = 0; k < expected.size(); ++k) expected[k] = expect(k);
    const device::array<float> out(std::vector<float>(count, -1.0f));
    go(out.data());
    REQUIRE(out.read() == expected);
  };
  const auto both = [&](auto... policy) {
    check([&](std::size_t k) { return a[k]; },
          [&](float* o) { transform(nullptr, o, da.data(), count, sum{}, policy...); });
    check([&](std::size_t k) { return a[k] + b[k] + c[k]; },
          [&](float* o) { transform(nullptr, o, inputs(da.data(), db.data(), dc.data()), count, sum{}, policy...); });
    check([&](std::size_t k) { return a[k] + b[k] + c[k] + d[k]; }, [&](float* o) {
      transform(nullptr, o, inputs(da.data(), db.data(), dc.data(), dd.data()), count, sum{}, policy...);
    });
  };
  both();
  if (on_device) both(pipelined<2048, 2>{});
}

TEST_CASE("in place") {
  for (int at : {0, 1}) {
    auto a = numbers<float>(70001, 1);
    const auto b = numbers<float>(70001, 2);
    const device::array<float> da(a), db(b);
    // the other input is misaligned against the target, so that vectors are put together from neighbours
    transform(nullptr, da.data() + at, inputs(da.data() + at, db.data()), 70000, sum{});
    for (std::size_t k = 0; k < 70000; ++k) a[k + static_cast<std::size_t>(at)] += b[k];
    REQUIRE(da.read() == a);
  }
}

TEST_CASE("elements that fit no word") {
  std::vector<three_floats> v(5001);
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = {1.0f * k, 2.0f * k, 3.0f * k};
  const device::array<three_floats> in(v), out(std::vector<three_floats>(5001));
  transform(nullptr, out.data(), in.data(), 5001, twice{});
  const device::array<float> x(std::vector<float>(5001));
  transform(nullptr, x.data(), in.data(), 5001, first_of{});
  const auto doubled = out.read();
  const auto firsts = x.read();
  for (std::size_t k = 0; k < v.size(); ++k) {
    REQUIRE(doubled[k] == twice{}(v[k]));
    REQUIRE(firsts[k] == v[k].x);
  }
}

TEST_CASE("convert") {
  constexpr long long count = 10007;
  const auto floats = numbers<float>(count, 5);
  const device::array<float> in(floats);
  const device::array<__nv_bfloat16> brain{std::vector<__nv_bfloat16>(count)};
  const device::array<__half> half{std::vector<__half>(count)};
  const device::array<float> back{std::vector<float>(count)};
  convert(nullptr, brain.data(), in.data(), count);
  convert(nullptr, half.data(), in.data(), count);
  const auto b = brain.read();
  const auto h = half.read();
  for (std::size_t k = 0; k < floats.size(); ++k) {
    REQUIRE(__bfloat162float(b[k]) == __bfloat162float(__float2bfloat16(floats[k])));
    REQUIRE(__half2float(h[k]) == __half2float(__float2half(floats[k])));
  }
  convert(nullptr, back.data(), half.data(), count);
  CHECK(back.read() == [&] { auto v = floats; for (auto& x : v) x = __half2float(__float2half(x)); return v; }());

  std::vector<unsigned char> bytes(count);
  for (std::size_t k = 0; k < bytes.size(); ++k) bytes[k] = device::coded_byte(static_cast<long long>(k), 9);
  const device::array<unsigned char> pixels(bytes);
  convert(nullptr, back.data(), pixels.data(), count, 1.0f / 255.0f);
  const auto scaled = back.read();
  for (std::size_t k = 0; k < bytes.size(); ++k) REQUIRE(scaled[k] == static_cast<float>(bytes[k]) * (1.0f / 255.0f));

  const device::array<double> wide(std::vector<double>(floats.begin(), floats.end()));
  convert(nullptr, back.data() + 1, wide.data(), count - 1);
  const auto narrowed = back.read();
  for (std::size_t k = 1; k < floats.size(); ++k) REQUIRE(narrowed[k] == floats[k - 1]);
}

// With something else in a policy's place there is no such function; it used to call itself for ever.
template <class Policy>
concept transforms = requires(float* p, Policy policy) { transform(nullptr, p, inputs(p, p), 1, sum{}, policy); };
static_assert(transforms<vectorised> && transforms<pipelined<>> && !transforms<int> && !transforms<sum>);

TEST_CASE("what is refused launches nothing, and says what was given and what is allowed") {
  const device::array<float> a(std::vector<float>(100, 1.0f)), out(std::vector<float>(100, 5.0f));
  const device::array<double> wide(std::vector<double>(100, 1.0));
  const auto* nothing = static_cast<float*>(nullptr);
  CHECK(refused([&] { transform(nullptr, out.data(), a.data(), -1, sum{}); },
                "the count of elements to transform is -1"));
  CHECK(refused([&] { transform(nullptr, out.data(), inputs(a.data(), nothing), 10, sum{}); },
                "a source of the transform is null"));
  CHECK(refused([&] { transform(nullptr, out.data() + 1, out.data(), 10, sum{}); }, "overlaps the source"));
  CHECK(refused([&] { transform(nullptr, reinterpret_cast<float*>(wide.data()), wide.data(), 10, sum{}); },
                "overlaps the source"));
  CHECK(refused([&] { transform(nullptr, out.data(), a.data(), 1ll << 62, sum{}); }, "more than 2^63 - 1"));
  CHECK(refused(
      [&] {
        transform(nullptr, out.data(), a.data(), 10, sum{}, vectorised{256, 3});
      },
      "an unroll of 3; allowed are 1, 2 and 4"));
  device::require(cudaDeviceSynchronize());
  CHECK(out.read() == std::vector<float>(100, 5.0f));
}
