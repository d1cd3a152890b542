// Division by multiplication, boxes against arrays, and strided copies seen for what they are.
#include <penstock/algorithm/detail/box_split.hpp>
#include <penstock/algorithm/detail/row_boxes.hpp>

#include "support/refusals.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <map>
#include <random>
#include <vector>

namespace {

using namespace penstock;
using namespace penstock::detail;

struct axis_of {
  long long extent, to, from;
};

strided_copy some_copy(long long element, std::initializer_list<axis_of> axes) {
  strided_copy c;
  c.to = reinterpret_cast<unsigned char*>(0x100000);
  c.from = reinterpret_cast<const unsigned char*>(0x800000);
  c.element = element;
  for (const auto& a : axes) {
    c.extent[c.axes] = a.extent;
    c.to_stride[c.axes] = a.to;
    c.from_stride[c.axes] = a.from;
    ++c.axes;
  }
  return c;
}

// Every byte that a copy moves: where to, and where from.
std::map<long long, long long> moves_of(const strided_copy& c) {
  std::map<long long, long long> moves;
  for (long long k = 0; k < c.elements(); ++k) {
    long long rest = k, to = 0, from = 0;
    for (int a = c.axes - 1; a >= 0; --a) {
      to += rest % c.extent[a] * c.to_stride[a];
      from += rest % c.extent[a] * c.from_stride[a];
      rest /= c.extent[a];
    }
    for (long long b = 0; b < c.element; ++b) moves[to + b] = from + b;
  }
  return moves;
}

// Arrays are values, and those to write convert to those to read alone.
static_assert(std::is_trivially_copyable_v<strided<int, 2>> && std::is_copy_constructible_v<strided<int, 2>>);
static_assert(std::is_trivially_copyable_v<strided<const int, 2>> &&
              std::is_copy_constructible_v<strided<const int, 2>>);
static_assert(std::is_convertible_v<strided<int, 2>, strided<const int, 2>> &&
              !std::is_constructible_v<strided<int, 2>, strided<const int, 2>>);

}  // namespace

TEST_CASE("dividers divide exactly up to 2^31") {
  std::mt19937 random(1);
  std::vector<long long> divisors{
      1, 2, 3, 5, 7, 10, 16, 17, 255, 256, 641, 65535, 65536, 1000003, (1ll << 30) - 1, 1ll << 30, 0x7fffffff};
  for (int k = 0; k < 200; ++k) divisors.push_back(1 + random() % 0x7fffffffu);
  for (const long long d : divisors) {
    const divider by(d);
    std::vector<unsigned> dividends{
        0, 1, 0x7fffffffu, 0x7ffffffeu, static_cast<unsigned>(d), static_cast<unsigned>(d) - 1};
    for (int k = 0; k < 200; ++k) dividends.push_back(random() & 0x7fffffffu);
    for (unsigned n : dividends) {
      unsigned q = n;
      const unsigned r = by.take(q);
      REQUIRE(q == n / static_cast<unsigned>(d));
      REQUIRE(r == n % static_cast<unsigned>(d));
    }
  }
}

TEST_CASE("axes vanish and merge, and the bytes stay the same") {
  CHECK(normalised(some_copy(4, {{3, 440, 440}, {10, 44, 44}, {10, 4, 4}})).axes == 2);
  CHECK(normalised(some_copy(4, {{10, 400, 400}, {10, 40, 40}, {10, 4, 4}})).axes == 1);
  CHECK(normalised(some_copy(4, {{1, 7, 9}, {1, 3, 3}})).axes == 0);
  CHECK(normalised(some_copy(4, {{1000, 4, 64}, {1, 4, 4}})).axes == 1);
  std::mt19937 random(2);
  for (int k = 0; k < 500; ++k) {
    strided_copy c = some_copy(4, {});
    c.axes = 1 + static_cast<int>(random() % 4);
    long long to = 4, from = 4;
    for (int a = c.axes - 1; a >= 0; --a) {
      c.extent[a] = 1 + random() % 4;
      c.to_stride[a] = to;
      c.from_stride[a] = from;
      to *= c.extent[a] + random() % 2;
      from *= c.extent[a] + random() % 2;
    }
    // axes in any order describe the same copy
    for (int a = c.axes - 1; a > 0; --a) {
      const int b = static_cast<int>(random() % static_cast<unsigned>(a + 1));
      std::swap(c.extent[a], c.extent[b]);
      std::swap(c.to_stride[a], c.to_stride[b]);
      std::swap(c.from_stride[a], c.from_stride[b]);
    }
    const strided_copy n = normalised(c);
    REQUIRE(moves_of(n) == moves_of(c));
    REQUIRE(n.axes <= c.axes);
    for (int a = 1; a < n.axes; ++a) REQUIRE(n.to_stride[a - 1] >= n.to_stride[a]);
    CHECK(message_of([&] { check_no_fold(n); }) == "accepted");
  }
}

TEST_CASE("rows are cut into the widest words everything is aligned to") {
  const auto box = [](long long row, long long to_pitch, long long from_pitch, unsigned to = 0, unsigned from = 0) {
    strided_copy c = some_copy(1, {{10, to_pitch, from_pitch}, {row, 1, 1}});
    c.to += to;
    c.from += from;
    return make_row_box(c);
  };
  CHECK(box(256, 512, 1024).width == 16);
  CHECK(box(256, 512, 1024).items == 160);
  CHECK(box(8, 512, 1024).width == 8);
  CHECK(box(12, 512, 1024).width == 4);
  CHECK(box(12, 512, 1024).items == 30);
  CHECK(box(256, 512, 1024, 0, 1).width == realigned);
  CHECK(box(256, 512, 1024, 0, 1).items == 160);
  CHECK(box(256, 512, 1024, 1, 0).items == 170);
  CHECK(box(256, 513, 1024).items == 170);
  CHECK(box(256, 513, 1024).width == realigned);
  CHECK(box(15, 513, 1024).width == 1);
  CHECK(box(3, 513, 1024).items == 30);
}

TEST_CASE("copies of more words than one launch takes are cut") {
  const strided_copy c = some_copy(1, {{3, 1ll << 34, 1ll << 34}, {1ll << 30, 16, 32}, {16, 1, 1}});
  long long rows = 0;
  int parts = 0;
  for_each_part(c, false, [&](const strided_copy& part) {
    REQUIRE(items_bound(part) <= most_items);
    rows += part.extent[0] * part.extent[1];
    ++parts;
  });
  CHECK(rows == 3ll << 30);
  CHECK(parts > 1);
}

TEST_CASE("a box falls into what is copied and what lies beside the source") {
  std::mt19937 random(3);
  for (int trial = 0; trial < 400; ++trial) {
    int array[36 * 2] = {};
    const strided<int, 2> dst(array, {6, 5});
    const strided<const int, 2> src(array, {4, 7});
    const auto offset = [&] { return static_cast<long long>(random() % 13) - 6; };
    const long long dst_at[2] = {offset(), offset()}, src_at[2] = {offset(), offset()};
    const long long extent[2] = {static_cast<long long>(random() % 9), static_cast<long long>(random() % 9)};
    const auto r = split_box<int, 2>(dst, dst_at, src, src_at, extent);
    for (long long y = 0; y < extent[0]; ++y)
      for (long long x = 0; x < extent[1]; ++x) {
        const auto within = [&](const region<2>& g) {
          return y >= g.axis[0].first && y < g.axis[0].last && x >= g.axis[1].first && x < g.axis[1].last;
        };
        const bool in_dst = dst_at[0] + y >= 0 && dst_at[0] + y < 6 && dst_at[1] + x >= 0 && dst_at[1] + x < 5;
        const bool in_src = src_at[0] + y >= 0 && src_at[0] + y < 4 && src_at[1] + x >= 0 && src_at[1] + x < 7;
        int beside = 0;
        for (int k = 0; k < r.beside_count; ++k) beside += within(r.beside[k]) ? 1 : 0;
        REQUIRE(within(r.both) == (in_dst && in_src));
        REQUIRE(beside == (in_dst && !in_src ? 1 : 0));
      }
  }
}

TEST_CASE("boxes that overlap are refused, boxes that interleave are not") {
  int array[100] = {};
  const strided<int, 2> whole(array, {10, 10});
  struct place {
    long long y, x;
  };
  const auto attempt = [&](place to, place from, place size) {
    const long long dst_at[2] = {to.y, to.x}, src_at[2] = {from.y, from.x}, extent[2] = {size.y, size.x};
    const strided<const int, 2> src = whole;
    return message_of([&] {
      const auto r = split_box<int, 2>(whole, dst_at, src, src_at, extent);
      const strided_copy c = normalised(region_copy<int, 2>(whole, dst_at, src, src_at, r.both));
      check_apart(c, c);
    });
  };
  CHECK(attempt({0, 0}, {0, 5}, {10, 5}) == "accepted");
  CHECK(attempt({0, 5}, {0, 0}, {10, 5}) == "accepted");
  CHECK(says(attempt({0, 4}, {0, 0}, {10, 5}), "overlaps"));
  CHECK(attempt({5, 0}, {0, 0}, {5, 10}) == "accepted");
  CHECK(says(attempt({4, 0}, {0, 0}, {5, 10}), "overlaps"));
  CHECK(attempt({3, 3}, {0, 0}, {3, 3}) == "accepted");
  CHECK(says(attempt({2, 2}, {0, 0}, {3, 3}), "overlaps"));
  CHECK(says(attempt({2, 0}, {0, 2}, {3, 3}), "overlaps"));
}

TEST_CASE("what is filled may not lie where the source is read") {
  int array[100] = {};
  const strided<int, 2> whole(array, {10, 10});
  const strided<const int, 2> src = whole;
  // places of the target against places of the source, by a loop over both
  std::mt19937 random(4);
  int apart = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const auto some = [&](int most) { return static_cast<long long>(random() % static_cast<unsigned>(most)); };
    region<2> to, from;
    for (region<2>* r : {&to, &from})
      for (interval& i : r->axis) {
        i.first = some(10);
        i.last = i.first + 1 + some(static_cast<int>(10 - i.first));
      }
    const long long origin[2] = {0, 0};
    const auto written = descending(region_copy<int, 2>(whole, origin, src, origin, to));
    const auto read = descending(region_copy<int, 2>(whole, origin, src, origin, from));
    bool overlap = true;
    for (int a = 0; a < 2; ++a)
      overlap = overlap && to.axis[a].first < from.axis[a].last && from.axis[a].first < to.axis[a].last;
    const std::string message = message_of([&] { check_apart(written, read); });
    INFO(message);
    REQUIRE((message != "accepted") == overlap);
    apart += overlap ? 0 : 1;
  }
  CHECK(apart > 100);
}

TEST_CASE("offsets and strides that no one uses may be as large as they like") {
  int array[8] = {};
  const long long far = (1ll << 62) - 1;
  const strided<int, 2> dst(array, {2, 4});
  const strided<const int, 2> src(array, {1, 4}, {LLONG_MAX, 1});
  const long long dst_at[2] = {0, 0}, src_at[2] = {-far, far}, extent[2] = {LLONG_MAX, LLONG_MAX};
  check_strided(src, false, "the source array");
  const auto r = split_box<int, 2>(dst, dst_at, src, src_at, extent);
  CHECK(r.both.empty());
  REQUIRE(r.beside_count == 1);
  const strided_copy c = region_copy<int, 2>(dst, dst_at, src, src_at, r.beside[0]);
  CHECK(c.to == reinterpret_cast<unsigned char*>(array));
  CHECK(c.extent[0] == 2);
  CHECK(c.extent[1] == 4);
  const long long beyond[2] = {0, far + 1};
  CHECK(says(message_of([&] { split_box<int, 2>(dst, beyond, src, src_at, extent); }),
             "begins at 4611686018427387904 along axis 1"));
}

TEST_CASE("arrays that make no sense are refused") {
  int array[8] = {};
  const auto check_target = [&](const strided<int, 2>& s) {
    return message_of([&] { check_strided(s, true, "the target array"); });
  };
  CHECK(check_target({array, {2, 4}}) == "accepted");
  CHECK(check_target({nullptr, {0, 4}}) == "accepted");
  CHECK(says(check_target({nullptr, {2, 4}}), "is null"));
  CHECK(says(check_target({array, {-2, 4}}), "extent -2 along axis 0"));
  CHECK(says(check_target({array, {2, 4}, {0, 1}}), "stride 0 along axis 0"));
  CHECK(says(check_target({array, {2, 4}, {4, -1}}), "stride -1 along axis 1"));
  CHECK(says(check_target({array, {1ll << 40, 1ll << 40}}), "more than 2^63 - 1"));
  CHECK(says(check_target({array, {2, 1ll << 62}}),
             "extent 4611686018427387904 along axis 1; allowed are extents below 2^62"));
  CHECK(says(check_target({array, {3, 2}, {LLONG_MAX / 2, 1}}), "more than 2^63 - 1"));
  CHECK(says(check_target({array, {2, 2}, {LLONG_MAX / 2, 1}}), "bytes that is more than 2^63 - 1"));
  const auto check_dense = [&](const strided<int, 3>& s) {
    return message_of([&] { check_strided(s, true, "the target array"); });
  };
  CHECK(says(check_dense({array, {2, 1ll << 40, 1ll << 40}}), "more than 2^63 - 1"));
  CHECK(says(check_dense({array, {1, 1ll << 40, 1ll << 40}}), "more than 2^63 - 1"));
  CHECK(message_of([&] {
          check_strided(strided<const int, 2>(array, {2, 4}, {0, 1}), false, "the source array");
        }) == "accepted");
  CHECK(says(message_of([] { check_no_fold(normalised(some_copy(4, {{3, 12, 16}, {4, 4, 4}}))); }), "16 or more"));
}
