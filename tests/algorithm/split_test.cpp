// How arrays are cut into aligned words, and what is refused before anything could be launched.
#include <penstock/algorithm/detail/byte_split.hpp>
#include <penstock/algorithm/detail/vector_split.hpp>
#include <penstock/algorithm/policy.hpp>

#include "support/refusals.hpp"

#include <doctest/doctest.h>

#include <climits>
#include <cstring>
#include <vector>

namespace {

using namespace penstock;
using namespace penstock::detail;

const unsigned char* at(std::uintptr_t address) { return reinterpret_cast<const unsigned char*>(address); }

}  // namespace

TEST_CASE("a byte range is cut into head, words and tail that cover it and read nothing beside it") {
  for (std::uintptr_t to = 0; to < 130; ++to)
    for (std::uintptr_t from = 0; from < 17; ++from)
      for (long long bytes : {1, 2, 15, 16, 17, 31, 32, 33, 47, 48, 49, 63, 100, 300, 4095, 4096, 4097, 4300, 100001}) {
        const std::uintptr_t t = 0x10000 + to, f = 0x90000 + from;
        const split_range s = split_copy({const_cast<unsigned char*>(at(t)), at(f), bytes});
        CAPTURE(to);
        CAPTURE(from);
        CAPTURE(bytes);
        REQUIRE(s.head + 16 * s.words + s.tail == bytes);
        REQUIRE(s.head >= 0);
        REQUIRE(s.tail >= 0);
        if (s.words == 0) continue;
        REQUIRE((t + static_cast<std::uintptr_t>(s.head)) % 16 == 0);
        const std::uintptr_t first = f + static_cast<std::uintptr_t>(s.head) - s.skip;
        REQUIRE(first % 16 == 0);
        REQUIRE(first >= f);
        const std::uintptr_t end = first + 16 * static_cast<std::uintptr_t>(s.words + (s.skip != 0 ? 1 : 0));
        REQUIRE(end <= f + static_cast<std::uintptr_t>(bytes));
        REQUIRE(s.tail < 48);  // all the rest is done in words
        REQUIRE(s.head < 256);
      }
}

TEST_CASE("arrays of several types are cut at the same elements") {
  for (long long out_size : {1, 2, 4, 8, 16})
    for (long long a_size : {1, 2, 4, 8, 16, 12})
      for (long long shift_out = 0; shift_out < 5; ++shift_out)
        for (long long shift_a = 0; shift_a < 17; ++shift_a)
          for (long long count : {1, 7, 16, 33, 64, 300, 4096, 5001}) {
            const int width = static_cast<int>(16 / std::max({out_size, a_size == 12 ? 16 : a_size, 4ll}));
            const array_place out{0x10000 + static_cast<std::uintptr_t>(shift_out * out_size), out_size};
            const array_place in[2] = {{0x90000 + static_cast<std::uintptr_t>(shift_a * a_size), a_size},
                                       {0xd0000 + static_cast<std::uintptr_t>(shift_a % 3 * 4), 4}};
            const auto s = split(width, out, in, count);
            CAPTURE(out_size);
            CAPTURE(a_size);
            CAPTURE(shift_out);
            CAPTURE(shift_a);
            CAPTURE(count);
            REQUIRE(s.head + width * s.vectors <= count);
            if (s.vectors == 0) continue;
            REQUIRE((out.address + static_cast<std::uintptr_t>(s.head * out_size)) %
                        static_cast<std::uintptr_t>(width * out_size) ==
                    0);
            for (int k = 0; k < 2; ++k) {
              if (!is_power_of_two(static_cast<std::size_t>(in[k].size))) continue;
              const std::uintptr_t word = static_cast<std::uintptr_t>(width * in[k].size);
              const std::uintptr_t first = in[k].address + static_cast<std::uintptr_t>(s.head * in[k].size) - s.skip[k];
              REQUIRE(first % word == 0);
              REQUIRE(first >= in[k].address);
              REQUIRE(first + word * static_cast<std::uintptr_t>(s.vectors + (s.skip[k] != 0 ? 1 : 0)) <=
                      in[k].address + static_cast<std::uintptr_t>(count * in[k].size));
            }
          }
}

TEST_CASE("elements that no word holds are left to be moved one by one") {
  CHECK(vector_width<char[3], float>() == 1);
  CHECK(vector_width<float, double>() == 2);
  CHECK(vector_width<unsigned char>() == 16);
  CHECK(vector_width<unsigned char, float>() == 4);
  const array_place in[1] = {{0x1000, 12}};
  CHECK(split(1, {0x2000, 12}, in, 1000).vectors == 0);
  CHECK(split(4, {0x2002, 4}, in, 1000).vectors == 0);  // an address that no element of 4 bytes should have
}

TEST_CASE("arguments that make no sense are refused with what was given and what is allowed") {
  float array[64] = {};
  float other[64] = {};
  CHECK(message_of([&] { admit_copy(array, other, 64); }) == "accepted");
  CHECK(message_of([&] { admit_copy(static_cast<float*>(nullptr), other, 0); }) == "accepted");
  CHECK(message_of([&] { admit_copy(array, array, 0); }) == "accepted");
  CHECK(says(message_of([&] { admit_copy(array, other, -3); }), "is -3; it must be 0 or more"));
  CHECK(says(message_of([&] { admit_copy(static_cast<float*>(nullptr), other, 5); }),
             "the target of the copy is null, but 20 bytes"));
  CHECK(says(message_of([&] { admit_copy(array, static_cast<const float*>(nullptr), 5); }),
             "the source of the copy is null"));
  CHECK(says(message_of([&] { admit_copy(array, other, LLONG_MAX / 2); }), "more than 2^63 - 1"));
  CHECK(says(message_of([&] { admit_copy(array, array + 10, 11); }), "overlaps"));
  CHECK(says(message_of([&] { admit_copy(array + 10, array, 11); }), "overlaps"));
  CHECK(message_of([&] { admit_copy(array, array + 10, 10); }) == "accepted");
  CHECK(says(message_of([&] { admit_copy(array, array, 1); }), "overlaps"));
  float* odd = reinterpret_cast<float*>(reinterpret_cast<char*>(array) + 2);
  CHECK(says(message_of([&] { admit_copy(odd, other, 1); }), "alignment, 4"));
  const auto* end = reinterpret_cast<const char*>(~std::uintptr_t{0} - 10);
  char byte = 0;
  CHECK(says(message_of([&] { admit_copy(&byte, end, 100); }), "run past the end of the address space"));
  CHECK_THROWS_AS(admit_copy(array, other, -1), std::system_error);
}

TEST_CASE("contiguous iterators stand for their addresses") {
  std::vector<int> a(10), b(10);
  const byte_range r = admit_copy(a.begin(), b.cbegin(), 10);
  CHECK(r.to == reinterpret_cast<unsigned char*>(a.data()));
  CHECK(r.from == reinterpret_cast<const unsigned char*>(b.data()));
  CHECK(r.bytes == 40);
}

TEST_CASE("policies") {
  CHECK(says(message_of([] { check_policy(vectorised{100, 1}); }), "100 threads a block"));
  CHECK(says(message_of([] { check_policy(vectorised{1024, 1}); }), "1024 threads a block"));
  CHECK(says(message_of([] { check_policy(vectorised{256, 3}); }), "unroll of 3"));
  CHECK(message_of([] { check_policy(vectorised{512, 4}); }) == "accepted");
  CHECK(says(message_of([] { check_policy(pipelined<>{0}); }), "0 tiles"));
  for (int capability : {75, 80, 90, 100})
    for (long long bytes : {1ll, 1ll << 20, 1ll << 32}) {
      check_policy(copy_policy(capability, bytes));
      for (int step : {16, 24, 32, 48, 64, 80})
        check_policy(transform_policy(capability, step, bytes));
    }
}
