// One sweep of the stencil, cut as for GPUs of any size, against plain loops.
#include "stencil/sweep.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <vector>

#include "support/pattern.hpp"

using namespace penstock;
using namespace penstock::examples;

namespace {

template <class T>
struct pitched {
  grid g;
  std::vector<T> values;

  explicit pitched(const grid& extents)
      : g(extents), values(static_cast<std::size_t>(pitch_of<T>(g) * g.rows * g.planes)) {}
  T& at(long long z, long long y, long long x) {
    return values[static_cast<std::size_t>((z * g.rows + y) * pitch_of<T>(g) + x)];
  }
};

template <class T, int Axes>
T expected(pitched<T>& from, long long z, long long y, long long x) {
  const grid& g = from.g;
  const T cell = from.at(z, y, x);
  if (x == 0 || x == g.columns - 1 || y == 0 || y == g.rows - 1) return cell;
  const T left = from.at(z, y, x - 1), right = from.at(z, y, x + 1);
  const T up = from.at(z, y - 1, x), down = from.at(z, y + 1, x);
  if constexpr (Axes == 2) {
    return diffused(cell, left, right, up, down);
  } else {
    if (z == 0 || z == g.planes - 1) return cell;
    return diffused(cell, left, right, up, down, from.at(z - 1, y, x), from.at(z + 1, y, x));
  }
}

template <class T, int Axes, class Mapping>
void sweep_once(const grid& g, long long resident) {
  pitched<T> from(g), to(g);
  for (auto& value : to.values) value = T(77);  // what nobody writes stays
  for (long long z = 0; z < g.planes; ++z)
    for (long long y = 0; y < g.rows; ++y)
      for (long long x = 0; x < g.columns; ++x)
        from.at(z, y, x) = coded_value<T>(5, static_cast<std::uint64_t>((z * g.rows + y) * g.columns + x));
  const cut c = cut_grid<T, Axes>(g, resident);
  const auto s = make_sweep<T, Axes>(from.values.data(), to.values.data(), g, c);
  for (long long b = 0; b < c.blocks(); ++b) sweep_block<T, Axes, Mapping>(s, b);

  INFO("extents " << g.planes << " " << g.rows << " " << g.columns << ", " << resident
                  << " resident, chunks of " << c.chunk);
  long long wrong = 0, padding = 0;
  for (long long z = 0; z < g.planes; ++z)
    for (long long y = 0; y < g.rows; ++y) {
      for (long long x = 0; x < g.columns; ++x)
        wrong += !same_bits{}(to.at(z, y, x), expected<T, Axes>(from, z, y, x));
      for (long long x = g.columns; x < pitch_of<T>(g); ++x)
        padding += to.at(z, y, x) != T(0) && to.at(z, y, x) != T(77);
    }
  CHECK(wrong == 0);
  CHECK(padding == 0);
}

}  // namespace

TEST_CASE("a cut covers every step once and leaves no block without work") {
  for (const long long rows : {1, 15, 16, 17, 1000, 123457})
    for (const long long planes : {1, 2, 3, 64, 1000, 100003})
      for (const long long resident : {1, 2, 132, 528, 100000}) {
        const cut three = cut_grid<float, 3>(grid{3, planes, rows, 300}, resident);
        CHECK(three.across == 3);
        CHECK(three.down == (rows + 15) / 16);
        CHECK(three.steps == planes);
        CHECK(three.chunks * three.chunk >= planes);
        CHECK((three.chunks - 1) * three.chunk < planes);
        const cut two = cut_grid<double, 2>(grid{2, 1, rows, 64}, resident);
        CHECK(two.blocks() == two.chunks);
        CHECK(two.chunks * two.chunk >= two.steps);
        CHECK((two.chunks - 1) * two.chunk < two.steps);
      }
  // a GPU with room for many more blocks than there are tiles gets several chunks
  CHECK(cut_grid<float, 3>(grid{3, 512, 512, 512}, 528).chunks > 1);
}

TEST_CASE("every cut gives the same cells") {
  for (const long long resident : {1, 5, 40, 2000}) {
    sweep_once<float, 3, sequential>({3, 23, 18, 133}, resident);
    sweep_once<double, 3, sequential>({3, 9, 35, 67}, resident);
    sweep_once<float, 2, sequential>({2, 1, 200, 131}, resident);
    sweep_once<double, 2, sequential>({2, 1, 97, 64}, resident);
  }
}

TEST_CASE("a thread an agent gives the same cells") {
  sweep_once<float, 3, specialised<>>({3, 12, 17, 129}, 10);
  sweep_once<double, 2, specialised<>>({2, 1, 70, 65}, 3);
}
