// Patterns tell every place apart, and comparisons find the first place where two arrays differ.
#include "support/pattern.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <numeric>
#include <set>

#include "scratch.hpp"

using namespace penstock::examples;

TEST_CASE("splitmix64 is the published generator") {
  // The first outputs of Vigna's splitmix64.c from state 0: its state grows by the golden ratio.
  static_assert(splitmix64(0) == 0xe220a8397b1dcdaf);
  static_assert(splitmix64(0x9e3779b97f4a7c15) == 0x6e789e6aa1b965f4);
  static_assert(splitmix64(2 * 0x9e3779b97f4a7c15) == 0x06c45d188009454f);
}

TEST_CASE("neighbours, seeds and ends of the index range all differ") {
  std::set<std::uint64_t> seen;
  for (const std::uint64_t seed : {0u, 1u, 2u}) {
    for (std::uint64_t i = 0; i < 1000; ++i) {
      seen.insert(coded_value<std::uint64_t>(seed, i));
      seen.insert(coded_value<std::uint64_t>(seed, (std::uint64_t{1} << 32) + i));
      seen.insert(coded_value<std::uint64_t>(seed, std::numeric_limits<std::uint64_t>::max() - i));
    }
  }
  CHECK(seen.size() == 9000);
}

TEST_CASE("floating-point patterns are in [-1, 1), spread, and equal in f32 and f64") {
  double sum = 0;
  float least = 1;
  float most = -1;
  for (std::uint64_t i = 0; i < 100'000; ++i) {
    const auto value = coded_value<float>(5, i);
    REQUIRE(value >= -1);
    REQUIRE(value < 1);
    REQUIRE(static_cast<double>(value) == coded_value<double>(5, i));
    sum += value;
    least = std::min(least, value);
    most = std::max(most, value);
  }
  CHECK(std::abs(sum / 100'000) < 0.01);
  CHECK(least < -0.999f);
  CHECK(most > 0.999f);
}

TEST_CASE("a pattern filled in pieces is the pattern") {
  std::vector<std::uint32_t> whole(1000);
  std::vector<std::uint32_t> pieces(1000);
  fill_coded(std::span(whole), 9);
  fill_coded(std::span(pieces).first(300), 9);
  fill_coded(std::span(pieces).subspan(300), 9, 300);
  CHECK(whole == pieces);
  CHECK(compare_coded<std::uint32_t>(whole, 9));
  CHECK(compare_coded<std::uint32_t>(std::span(whole).subspan(300), 9, 300));
  CHECK(!compare_coded<std::uint32_t>(whole, 8));
}

TEST_CASE_TEMPLATE("the hot spot is a peak in the middle, symmetric, falling to the edges", value, float,
                   double) {
  for (const extents_3d extents : {extents_3d{17, 9, 33}, {1, 17, 9}, {1, 1, 9}}) {
    std::vector<value> cells(extents[0] * extents[1] * extents[2]);
    fill_hot_spot(std::span(cells), extents, value(100));
    CHECK(cells[cells.size() / 2] == value(100));
    CHECK(std::vector<value>(cells.rbegin(), cells.rend()) == cells);
    const auto row = std::span(cells).subspan(cells.size() / 2 - extents[2] / 2, extents[2]);
    CHECK(std::is_sorted(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(extents[2] / 2)));
    CHECK(row.front() < 1);
    CHECK(row.front() > 0);
  }
  std::vector<value> even(4 * 4);
  fill_hot_spot(std::span(even), {1, 4, 4}, value(1));
  CHECK(even[5] == even[10]);
  CHECK(even[5] > even[4]);
  std::vector<value> none;
  fill_hot_spot(std::span(none), {0, 4, 4}, value(1));
  CHECK(sentence_of([&] {
          fill_hot_spot(std::span(even), {1, 4, 5}, value(1));
        }) == "a hot spot needs as many cells as the product of its extents");
}

TEST_CASE("the first difference and their number are found") {
  std::vector<float> expected(100);
  fill_coded(std::span(expected), 3);
  std::vector<float> got = expected;
  CHECK(describe(compare_arrays<float>(expected, got)) == "no value differs");

  got[99] = 0.25f;
  expected[99] = 0.5f;
  comparison<float> result = compare_arrays<float>(expected, got);
  CHECK(describe(result) == "1 value differs, at index 99: expected 0.5, got 0.25");
  got[17] = 2;
  expected[17] = -3;
  result = compare_arrays<float>(expected, got);
  CHECK(!result);
  CHECK(result.count == 2);
  CHECK(result.first == 17);
  CHECK(describe(result) == "2 values differ, the first at index 17: expected -3, got 2");
  CHECK(sentence_of([&] { compare_arrays<float>(expected, std::span(got).first(5)); }) ==
        "arrays of different lengths cannot be compared");
}

TEST_CASE("bits decide, unless a tolerance is asked for") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> a{nan, 0.0f, 1.0f};
  const std::vector<float> b{nan, -0.0f, 1.001f};
  CHECK(compare_arrays<float>(a, a));
  CHECK(describe(compare_arrays<float>(a, b)) == "2 values differ, the first at index 1: expected 0, got -0");
  CHECK(describe(compare_arrays<float>(a, b, within{0.01})) ==
        "1 value differs, at index 0: expected nan, got nan");
  CHECK(compare_arrays<float>(a, b, within{1e-6}).count == 2);
}
