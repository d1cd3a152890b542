// Rows by index and batches of buffers against loops on the host.
#include "algorithm/device_array.hpp"
#include "support/refusals.hpp"

#include <penstock/algorithm/batched.hpp>
#include <penstock/algorithm/gather.hpp>

#include <random>

namespace {

using namespace penstock;
using device::first_difference;

#if defined(__CUDACC__)
constexpr long long fewer = 1;
#else
constexpr long long fewer = 10;  // kernels run on the host
#endif

template <class T, class Index>
void gathered(long long row, long long pitch, long long count, long long to_shift = 0, long long from_shift = 0) {
  constexpr long long table = 301;
  std::mt19937 random(static_cast<unsigned>(row * 7 + count));
  std::vector<Index> index(static_cast<std::size_t>(count));
  for (auto& i : index) i = static_cast<Index>(random() % table);
  const long long size = sizeof(T);
  device::bytes source((from_shift + table * pitch) * size), target((to_shift + count * row) * size + 64);
  const auto data = device::coded(source.size(), 21);
  source.write(data);
  target.fill(0xa5);
  const device::array<Index> indices(index);
  gather(nullptr, reinterpret_cast<T*>(target.data()) + to_shift,
         reinterpret_cast<const T*>(source.data()) + from_shift, pitch, row, indices.data(), count);
  device::require(cudaDeviceSynchronize());
  std::vector<unsigned char> expected(static_cast<std::size_t>(target.size()), 0xa5);
  for (long long k = 0; k < count; ++k)
    std::memcpy(&expected[static_cast<std::size_t>((to_shift + k * row) * size)],
                &data[static_cast<std::size_t>(
                    (from_shift + static_cast<long long>(index[static_cast<std::size_t>(k)]) * pitch) * size)],
                static_cast<std::size_t>(row * size));
  INFO(count << " rows of " << row << " elements of " << size << " bytes, pitch " << pitch);
  REQUIRE(first_difference(target.read(), expected) == -1);
}

// Buffers of the given sizes, each at random offsets inside a field of its own.
template <class Size>
void batch(const std::vector<long long>& sizes, unsigned seed, bool aligned = false) {
  std::mt19937 random(seed);
  long long to = 0, from = 0;
  std::vector<long long> to_at, from_at;
  for (long long n : sizes) {
    to += aligned ? 16 : random() % 37;
    from += aligned ? 16 : random() % 41;
    if (aligned) {
      to = (to + 15) / 16 * 16;
      from = (from + 15) / 16 * 16;
    }
    to_at.push_back(to);
    from_at.push_back(from);
    to += n;
    from += n;
  }
  device::bytes target(to + 64), source(from + 1);
  const auto data = device::coded(source.size(), seed);
  source.write(data);
  target.fill(0xa5);
  std::vector<unsigned char*> targets;
  std::vector<const unsigned char*> sources;
  std::vector<Size> lengths;
  std::vector<unsigned char> expected(static_cast<std::size_t>(target.size()), 0xa5);
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    targets.push_back(target.data() + to_at[k]);
    sources.push_back(source.data() + from_at[k]);
    lengths.push_back(static_cast<Size>(sizes[k]));
    std::memcpy(expected.data() + to_at[k], data.data() + from_at[k], static_cast<std::size_t>(sizes[k]));
  }
  const device::array<unsigned char*> t(targets);
  const device::array<const unsigned char*> s(sources);
  const device::array<Size> l(lengths);
  copy_batched(nullptr, t.data(), s.data(), l.data(), static_cast<long long>(sizes.size()));
  device::require(cudaDeviceSynchronize());
  INFO(sizes.size() << " buffers, seed " << seed);
  REQUIRE(first_difference(target.read(), expected) == -1);
}

std::vector<long long> random_sizes(long long count, long long most, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<long long> v;
  for (long long k = 0; k < count; ++k) v.push_back(random() % static_cast<unsigned>(most + 1));
  return v;
}

}  // namespace

TEST_CASE("gather rows of every width") {
  for (long long row : {1, 2, 3, 4, 7, 16, 33, 64, 100, 257}) {
    gathered<unsigned char, int>(row, row, 1000);
    gathered<unsigned char, long long>(row, row + 5, 777, 1, 2);
    gathered<float, int>(row, row, 1000);
    gathered<float, unsigned>(row, row + 3, 513, 1, 0);
    gathered<double, long long>(row, row, 300, 0, 1);
  }
  gathered<uint4, int>(8, 8, 100003 / fewer);
  gathered<float, int>(1, 1, 1000003 / fewer);
}

TEST_CASE("batches of every size") {
  for (long long n = 0; n < 70; ++n) batch<int>(std::vector<long long>(40, n), static_cast<unsigned>(n));
  for (long long most : {8, 64, 300, 1500, 5000, 65536}) {
    batch<int>(random_sizes(1000 / fewer, most, static_cast<unsigned>(most)), 5);
    batch<unsigned long long>(random_sizes(501 / fewer, most, 9), 6, true);
  }
  batch<int>(random_sizes(200000 / fewer, 40, 1), 1);
  batch<long long>({(1 << 20) / fewer}, 2);
  batch<int>({0, 0, 3000001 / fewer, 1, 0, 17}, 3);
  std::vector<long long> mixed = random_sizes(60000 / fewer, 100, 4);
  for (std::size_t k = 0; k < mixed.size(); k += 997) mixed[k] = 40000;
  batch<int>(mixed, 4);
}

TEST_CASE("what is refused launches nothing, and says what was given and what is allowed") {
  device::bytes memory(4096);
  memory.fill(0xa5);
  float* p = reinterpret_cast<float*>(memory.data());
  int* i = reinterpret_cast<int*>(memory.data() + 2048);
  void** pointers = reinterpret_cast<void**>(p);
  CHECK(refused([&] { gather(nullptr, p, p + 100, 4, i, -1); }, "the count of rows to gather is -1"));
  CHECK(refused([&] { gather(nullptr, p, p + 100, -4, i, 1); }, "the length of a row to gather is -4"));
  CHECK(refused([&] { gather(nullptr, p, p + 100, -5, 4, i, 1); }, "the pitch of the source is -5"));
  CHECK(
      refused([&] { gather(nullptr, p, p + 100, 4, static_cast<int*>(nullptr), 3); }, "the array of indices is null"));
  CHECK(refused([&] { gather(nullptr, reinterpret_cast<float*>(i), p, 4, i, 3); }, "overlaps the array of indices"));
  CHECK(refused([&] { gather(nullptr, p, p + 100, 1ll << 40, i, 1ll << 40); }, "more than 2^63 - 1"));
  CHECK(refused([&] { copy_batched(nullptr, static_cast<void**>(nullptr), const_cast<const void**>(pointers), i, 1); },
                "the array of targets is null"));
  CHECK(refused([&] { copy_batched(nullptr, pointers, const_cast<const void**>(pointers), i, -1); },
                "the count of buffers is -1"));
  CHECK(refused(
      [&] {
        copy_batched(nullptr, pointers, const_cast<const void**>(pointers), reinterpret_cast<int*>(memory.data() + 1),
                     1);
      },
      "the array of sizes is 0x"));
  device::require(cudaDeviceSynchronize());
  CHECK(memory.read() == std::vector<unsigned char>(4096, 0xa5));
}

TEST_CASE("buffers of no size need no address") {
  const device::array<unsigned char*> targets(std::vector<unsigned char*>(70, nullptr));
  const device::array<const unsigned char*> sources(std::vector<const unsigned char*>(70, nullptr));
  std::vector<int> sizes(70, 0);
  sizes[3] = -7;
  const device::array<int> lengths(sizes);
  copy_batched(nullptr, targets.data(), sources.data(), lengths.data(), 70);
  device::require(cudaDeviceSynchronize());
}
