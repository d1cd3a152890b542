#include <penstock/plan/lines.hpp>
#include <penstock/plan/text.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace penstock;

namespace {

std::string broken(std::string_view sentence, int widest) {
  std::string out;
  int at = 0;
  detail::break_lines(sentence, widest, [&](int line, int column, char c) {
    if (line != at) {
      CHECK(column == 0);
      out += '|';
    }
    at = line;
    out += c;
  });
  return out;
}

struct apostrophes {
  static constexpr auto message = [] {
    text<40> t;
    t << "stage 'r\xc3\xbc' reads";
    return t;
  }();
};

}  // namespace

TEST_CASE("lines break after a space, and a word that is longer than a line anywhere") {
  CHECK(broken("a bc def", 8) == "a bc def");
  CHECK(broken("a bc def", 7) == "a bc |def");
  CHECK(broken("a bc def", 5) == "a bc |def");
  CHECK(broken("a bc def", 2) == "a |bc| |de|f");
  CHECK(broken("", 4) == "");
}

TEST_CASE("a page is as narrow as its number of lines allows") {
  CHECK(detail::fit_page("one two three four", 18) == detail::page{1, 18});
  CHECK(detail::fit_page("one two three four", 17) == detail::page{2, 10});
  CHECK(detail::fit_page("one two three four", 9) == detail::page{3, 8});
  CHECK(detail::fit_page("", 36) == detail::page{0, 0});
}

TEST_CASE("a line is padded to its end and holds only what every compiler prints") {
  constexpr auto page = detail::set_lines<apostrophes, 12>();
  static_assert(sizeof page.lines == 2 * 12);
  CHECK(std::string(page.lines[0]) == "stage      ");
  CHECK(std::string(page.lines[1]) == "`r??` reads");
}
