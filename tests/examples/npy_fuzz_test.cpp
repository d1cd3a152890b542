// Mutated .npy headers and files: read rightly or refused with one short line, never anything else.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <limits>

#include "scratch.hpp"
#include "support/npy.hpp"

using namespace penstock::examples;
namespace fs = std::filesystem;

namespace {

// The same cases on every run; RC_PARAMS in the environment overrides.
bool check(const char* cases, const auto& property) {
  ::setenv("RC_PARAMS", cases, 0);
  return rc::check(property);
}

const std::vector<std::string>& tokens() {
  static const std::vector<std::string> all{"{",
                                            "}",
                                            "(",
                                            ")",
                                            ",",
                                            ":",
                                            "'",
                                            "\"",
                                            " ",
                                            "\n",
                                            "L",
                                            "-",
                                            "0",
                                            "18446744073709551616",
                                            "True",
                                            "False",
                                            "descr",
                                            "'shape'",
                                            "'fortran_order': False,",
                                            "<f4",
                                            ">f8",
                                            std::string(1, '\0'),
                                            "\xff",
                                            "((((((((",
                                            "\\'"};
  return all;
}

std::string mutated(std::string text) {
  const int edits = *rc::gen::inRange(1, 6);
  for (int i = 0; i < edits; ++i) {
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, text.size() + 1);
    const std::size_t length = *rc::gen::inRange<std::size_t>(0, 9);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        text.insert(at, *rc::gen::elementOf(tokens()));
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>(*rc::gen::inRange(0, 256));
    }
  }
  return text;
}

npy_header any_header() {
  npy_header header;
  header.type = *rc::gen::element(npy_type::f32, npy_type::f64);
  const std::size_t rank = *rc::gen::inRange<std::size_t>(1, 4);
  for (std::size_t i = 0; i < rank; ++i) header.shape.push_back(*rc::gen::inRange<std::uint64_t>(0, 100'000));
  return header;
}

// As any Python program may write it: keys in any order, either quote, blanks anywhere.
std::string any_spelling(const npy_header& header) {
  const auto blank = [] { return *rc::gen::element(std::string(), std::string(" "), std::string(" \n ")); };
  const std::string quote = *rc::gen::element(std::string("'"), std::string("\""));
  const std::string comma = *rc::gen::element(std::string(","), std::string());
  const auto quoted = [&](const std::string& text) { return quote + text + quote; };
  std::string shape = "(";
  for (const std::uint64_t extent : header.shape) shape += blank() + std::to_string(extent) + blank() + ",";
  shape += blank() + ")";
  std::vector<std::string> items{
      quoted("descr") + blank() + ":" + blank() + quoted(header.type == npy_type::f32 ? "<f4" : "<f8"),
      quoted("fortran_order") + ":" + blank() + "False", quoted("shape") + blank() + ":" + shape};
  std::rotate(items.begin(), items.begin() + *rc::gen::inRange(0, 3), items.end());
  return blank() + "{" + blank() + items[0] + "," + blank() + items[1] + blank() + "," + items[2] + comma +
         blank() + "}" + blank();
}

void assert_one_short_line(const std::string& sentence) {
  RC_ASSERT(!sentence.empty());
  RC_ASSERT(sentence.size() < 250u);
  for (const char letter : sentence) RC_ASSERT(letter >= ' ');
  for (const char letter : sentence) RC_ASSERT(letter <= '~');
}

void assert_allowed(const npy_header& header) {
  RC_ASSERT(header.shape.size() >= 1u);
  RC_ASSERT(header.shape.size() <= 3u);
  long double bytes = static_cast<long double>(header.value_bytes());
  for (const std::uint64_t extent : header.shape)
    bytes *= extent == 0 ? 1.0L : static_cast<long double>(extent);
  RC_ASSERT(bytes <= static_cast<long double>(std::numeric_limits<std::int64_t>::max()));
}

}  // namespace

TEST_CASE("a header means the same however it is spelled") {
  CHECK(check("seed=1 max_success=5000", [] {
    const npy_header header = any_header();
    RC_ASSERT(parse_npy_header(any_spelling(header)) == header);
  }));
}

TEST_CASE("a mutated header is read or refused") {
  int read = 0;
  int refused = 0;
  CHECK(check("seed=1 max_success=5000", [&] {
    const std::string text = mutated(any_spelling(any_header()));
    try {
      assert_allowed(parse_npy_header(text));
      ++read;
    } catch (const std::invalid_argument& reason) {
      assert_one_short_line(reason.what());
      ++refused;
    }
  }));
  // Mutations that only ever do one of the two would test little.
  CHECK(read > 100);
  CHECK(refused > 1000);
}

TEST_CASE("a mutated file is read or refused") {
  const scratch_folder folder;
  const fs::path path = folder / "array.npy";
  write_npy(path, {3, 5}, std::vector<float>(15, 0.25f));
  const std::string valid = text_of(path);
  int read = 0;
  int refused = 0;
  CHECK(check("seed=1 max_success=5000", [&] {
    fs::remove(path);  // some file systems flush a file that is truncated and written again
    // Most edits shall meet the header, not the padding behind it.
    put_text(path, mutated(valid.substr(0, 75)) + valid.substr(75));
    try {
      npy_reader file(path);
      assert_allowed(file.header());
      RC_ASSERT(file.values_left() == file.header().count());
      ++read;
    } catch (const std::runtime_error& error) {
      assert_one_short_line(error.what());
      ++refused;
    }
  }));
  CHECK(read > 20);
  CHECK(refused > 1000);
}
