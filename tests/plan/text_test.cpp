// Sentences built piece by piece.
#include <penstock/plan/text.hpp>

#include <doctest/doctest.h>

#include <limits>

using penstock::text;

TEST_CASE("pieces follow one another") {
  text<40> t;
  t << "depth " << 3 << ", offset " << -12 << ", " << 0;
  CHECK(t.view() == "depth 3, offset -12, 0");
}

TEST_CASE("the largest numbers") {
  text<60> t;
  t << std::numeric_limits<long long>::min() << " " << std::numeric_limits<long long>::max();
  CHECK(t.view() == "-9223372036854775808 9223372036854775807");
}

TEST_CASE("what just fits is whole") {
  text<5> t;
  t << "ab" << "cde";
  CHECK(t.view() == "abcde");
}

TEST_CASE("what does not fit ends in an ellipsis, however often more comes") {
  text<8> t;
  t << "abcdefghi";
  CHECK(t.view() == "abcde...");
  t << "jkl" << 7;
  CHECK(t.view() == "abcde...");
}

TEST_CASE("a sentence can be built by the compiler") {
  constexpr auto t = [] {
    text<20> made;
    made << "slot " << 42;
    return made;
  }();
  static_assert(t.view() == "slot 42");
  CHECK(t.chars[t.length] == '\0');
}
