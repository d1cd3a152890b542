// Contiguous copies: every alignment against every other, small and large, by every policy; what lies beside the target
// stays as it was.
#include "algorithm/device_array.hpp"
#include "support/refusals.hpp"

#include <penstock/algorithm/copy.hpp>

#if defined(__CUDACC__)
#include <penstock/algorithm/thrust.hpp>
#include <thrust/device_vector.h>
#endif

namespace {

using namespace penstock;
using device::first_difference;

constexpr unsigned char fence = 0xa5;
#if defined(__CUDACC__)
constexpr bool on_device = true;
#else
constexpr bool on_device = false;  // kernels run on the host: no pipelines, smaller sizes
#endif
constexpr long long large = on_device ? 40 << 20 : 2 << 20;

// Copies of many sizes at one pair of alignments, each in a field of its own; one comparison for all of them.
template <class... Policy>
void copy_fields(int to, int from, const std::vector<long long>& sizes, long long field, Policy... policy) {
  const long long all = field * static_cast<long long>(sizes.size());
  static device::bytes target(320 * 1024), source(320 * 1024);
  REQUIRE(all <= target.size());
  const auto data = device::coded(source.size(), static_cast<unsigned>(16 * to + from));
  source.write(data);
  target.fill(fence);
  std::vector<unsigned char> expected(static_cast<std::size_t>(target.size()), fence);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const long long at = field * static_cast<long long>(k);
    copy(nullptr, target.data() + at + 64 + to, source.data() + at + 64 + from, sizes[k], policy...);
    std::memcpy(&expected[static_cast<std::size_t>(at + 64 + to)], &data[static_cast<std::size_t>(at + 64 + from)],
                static_cast<std::size_t>(sizes[k]));
  }
  device::require(cudaDeviceSynchronize());
  const long long wrong = first_difference(target.read(), expected);
  INFO("target + " << to << ", source + " << from << ", byte " << wrong << " of the field of size "
                   << (wrong < 0 ? 0 : sizes[static_cast<std::size_t>(wrong / field)]));
  REQUIRE(wrong == -1);
}

template <class... Policy>
void copy_large(long long to, long long from, long long bytes, Policy... policy) {
  static const std::vector<unsigned char> data = device::coded(large, 7);
  static device::bytes source(large), target(large);
  static const bool written = (source.write(data), true);
  REQUIRE(written);
  target.fill(fence);
  copy(nullptr, target.data() + to, source.data() + from, bytes, policy...);
  device::require(cudaDeviceSynchronize());
  std::vector<unsigned char> expected(data.size(), fence);
  std::memcpy(&expected[static_cast<std::size_t>(to)], &data[static_cast<std::size_t>(from)],
              static_cast<std::size_t>(bytes));
  INFO(bytes << " bytes to + " << to << " from + " << from);
  REQUIRE(first_difference(target.read(), expected) == -1);
}

}  // namespace

TEST_CASE("every alignment, sizes 0 to 300") {
  std::vector<long long> sizes;
  for (long long n = 0; n <= 300; ++n) sizes.push_back(n);
  for (int to = 0; to < 16; ++to)
    for (int from = 0; from < 16; ++from) copy_fields(to, from, sizes, 512);
}

TEST_CASE("sizes around the words, lines and blocks") {
  const std::vector<long long> sizes{4080, 4095, 4096, 4097, 4111, 4223, 4224, 8191, 8192, 8209, 16383, 16384, 16401};
  for (int to : {0, 1, 5, 8, 15})
    for (int from : {0, 1, 4, 11, 15}) copy_fields(to, from, sizes, 16896);
}

TEST_CASE("large and odd sizes by every policy") {
  for (const auto& [to, from] : {std::pair{0, 0}, {1, 1}, {3, 0}, {0, 13}, {16, 2}, {127, 128}})
    for (long long bytes : {65537ll, 1000003ll, large - 200}) {
      copy_large(to, from, bytes);
      if (on_device) copy_large(to, from, bytes, pipelined<>{});
    }
  for (int threads : {32, 256, 512})
    for (int unroll : {1, 2, 4})
      for (bool streaming : {false, true}) copy_large(5, 5, large / 2 + 1, vectorised{threads, unroll, streaming});
  if (!on_device) return;
  for (int tiles : {1, 3, 100}) copy_large(32, 16, 2000017, pipelined<2048, 3>{tiles});
  for (int to : {0, 7}) copy_fields(to, 7, {0, 1, 15, 16, 17, 100, 128, 300, 4096}, 8192, pipelined<>{1});
}

#if defined(__CUDACC__)
TEST_CASE("typed elements, iterators, streams and graphs") {
  thrust::device_vector<double> a(1001), b(1001);
  std::vector<double> host(1001);
  for (int k = 0; k < 1001; ++k) host[static_cast<std::size_t>(k)] = 1.5 * k;
  a = host;
  cudaStream_t stream = nullptr;
  device::require(cudaStreamCreate(&stream));
  copy(stream, b.begin(), a.cbegin(), 1001);
  device::require(cudaStreamSynchronize(stream));
  CHECK(std::vector<double>(b.begin(), b.end()) == host);

  thrust::fill(b.begin(), b.end(), -1.0);
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t program = nullptr;
  device::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  copy(stream, b.begin() + 1, a.begin(), 1000);
  copy(stream, b.begin(), a.begin() + 7, 1, pipelined<>{});
  device::require(cudaStreamEndCapture(stream, &graph));
  device::require(cudaGraphInstantiate(&program, graph, 0));
  device::require(cudaGraphLaunch(program, stream));
  device::require(cudaStreamSynchronize(stream));
  CHECK(b[0] == host[7]);
  CHECK(b[1] == host[0]);
  CHECK(b[1000] == host[999]);
  device::require(cudaGraphExecDestroy(program));
  device::require(cudaGraphDestroy(graph));
  device::require(cudaStreamDestroy(stream));
}
#endif

TEST_CASE("what is refused launches nothing, and says what was given and what is allowed") {
  device::bytes target(4096), source(4096);
  target.fill(fence);
  unsigned char *to = target.data(), *from = source.data();
  float* odd = reinterpret_cast<float*>(to + 2);
  CHECK(refused([&] { copy(nullptr, to, from, -1); }, "the count of elements to copy is -1; it must be 0 or more"));
  CHECK(refused([&] { copy(nullptr, to, to + 1, 100); }, "overlaps the source, 100 bytes"));
  CHECK(refused([&] { copy(nullptr, to, static_cast<unsigned char*>(nullptr), 1); },
                "the source of the copy is null, but 1 bytes"));
  CHECK(refused([&] { copy(nullptr, odd, reinterpret_cast<float*>(from), 1); },
                "not a multiple of its elements' alignment, 4"));
  CHECK(refused([&] { copy(nullptr, reinterpret_cast<double*>(to), reinterpret_cast<double*>(from), 1ll << 61); },
                "more than 2^63 - 1"));
  CHECK(refused(
      [&] {
        copy(nullptr, to, from, 100, vectorised{33, 1});
      },
      "33 threads a block; allowed are multiples of 32"));
  CHECK(refused([&] { copy(nullptr, to, from, 100, pipelined<>{-1}); }, "-1 tiles; it must be 1 or more"));
#if !defined(__CUDACC__)
  CHECK(refused([&] { copy(on_host::elsewhere, to, from, 100); },
                "the stream given must be one of the current device, 0"));
#endif
  device::require(cudaDeviceSynchronize());
  CHECK(target.read() == std::vector<unsigned char>(4096, fence));
}
