// Macros that user code often has must not reach the words.
#define N 1024
#define I 1.0i
#include <penstock/plan/words.hpp>
#undef N
#undef I

#include <doctest/doctest.h>

#include <string>
#include <typeinfo>

using namespace penstock;

namespace {

std::string spelling(int word) { return std::string(detail::spellings[word]); }

// The sentence as nvcc prints the types that its words are.
std::string spell(std::string_view sentence) {
  std::string out;
  for (const detail::token& t : detail::split_words(sentence)) {
    if (!out.empty()) out += ", ";
    out += spelling(t.word);
    for (int k = 0; k < t.letters; ++k)
      out += (k == 0 ? " (" : ", ") + spelling(detail::find_letter(sentence[t.first + k]));
    if (t.letters > 0) out += ")";
    if (t.amount > 0) out += " [" + std::to_string(t.amount) + "]";
  }
  return out;
}

}  // namespace

TEST_CASE("names are the letters, and numbers the bound, of the word before them") {
  CHECK(spell("buffer 'in' is read") == "buffer (i, n), is, read");
  CHECK(spell("buffer 'in' has depth 2; the buffers take 2147483648000 bytes") ==
        "buffer (i, n), has, depth [2], the, buffers, take [2147483648000], bytes");
}

TEST_CASE("names and numbers that follow no word get one") {
  CHECK(spell("'a' -> 'b' (RAW on 'x' 0)") == "named (a), ->, named (b), RAW, on (x), zero");
  CHECK(spell("buffer 'x', 3 slots") == "buffer (x), number [3], slots");
  CHECK(spell("depth 2 3") == "depth [2], number [3]");
  CHECK(spell("window [-1,12]") == "window, minus [1], number [12]");
  CHECK(spell("is 0") == "is, zero");
}

TEST_CASE("an unknown word is spelled in letters") {
  CHECK(spell("the sm_90 ring") == "the, word (s, m, _, 9, 0), ring");
}

TEST_CASE("every character has a letter") {
  CHECK(spell("stage 'a b-c_d.e/f7'") == "stage (a,  , b, -, c, _, d, ., e, /, f, 7)");
  CHECK(spell("stage '\xc3\xbc\n'") == "stage (?, ?, ?)");
}

TEST_CASE("what is cut off or empty is no reason to read beyond the end") {
  CHECK(spell("") == "");
  CHECK(spell("stage 'ab") == "stage (a, b)");
  CHECK(spell("stage ''") == "stage");
  CHECK(spell("'") == "named");
}

TEST_CASE("a sentence longer than the list of words ends early") {
  std::string sentence;
  for (int k = 0; k < 2 * detail::max_tokens; ++k) sentence += "a 1 'b' ";
  CHECK(detail::split_words(sentence).size() == detail::max_tokens);
}

TEST_CASE("the types are in the order of their spellings") {
  // a local type's mangled name ends in its length and its name
  const auto named = [](const std::type_info& type, std::string_view name) {
    return std::string(type.name()).find(std::to_string(name.size()) + std::string(name)) != std::string::npos;
  };
  CHECK(named(typeid(detail::word_type<detail::find_word("N")>), "N_"));
  CHECK(named(typeid(detail::word_type<detail::find_word("written")>), "written"));
  CHECK(named(typeid(detail::word_type<detail::find_word("not")>), "not_"));
  CHECK(named(typeid(detail::word_type<detail::find_word("word")>), "word"));
  for (int i = 1; i < detail::vocabulary_size; ++i) CHECK(detail::find_word(detail::spellings[i]) == i);
}
