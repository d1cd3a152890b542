// How a sentence is spelled by compilers that print no strings: nvcc prints a string in a template argument
// character by character, but a local type by its bare name. So each word is a local type; a name is the parameter
// list, a number the array bound, of the word before it: "stage 'a' has 3 slots" becomes stage (a), has [3], slots.
#pragma once

#include <penstock/plan/list.hpp>

#include <string_view>
#include <utility>

namespace penstock {
namespace detail {

#define PENSTOCK_WORDS(word) \
  word(a) word(b) word(c) word(d) word(e) word(f) word(g) word(h) word(i) word(j) word(k) word(l) \
  word(m) word(n) word(o) word(p) word(q) word(r) word(s) word(t) word(u) word(v) word(w) word(x) \
  word(y) word(z) word(RAW) word(WAR) word(WAW) word(agent) word(ahead) word(aligned) word(aligns) \
  word(also) word(ampere) word(an) word(any) word(are) word(async) word(at) word(automatic) \
  word(barrier) word(be) word(before) word(block) word(body) word(bound) word(buffer) word(buffers) \
  word(but) word(by) word(bytes) word(called) word(can) word(cannot) word(copies) word(copy) \
  word(counts) word(cycle) word(decision) word(declare) word(declared) word(declares) word(depth) \
  word(distance) word(does) word(each) word(earlier) word(exceed) word(first) word(from) word(gets) \
  word(gives) word(give) word(go) word(group) word(has) word(hopper) word(host) word(in) word(is) \
  word(issue) word(it) word(iteration) word(its) word(last) word(launch) word(latency) word(later) \
  word(least) word(looks) word(may_stop) word(memory) word(most) word(moves) word(multiple) word(must) \
  word(name) word(named) word(names) word(nanoseconds) word(needs) word(neither) word(no) word(nor) \
  word(nothing) word(number) word(occupies) word(of) word(offset) word(on) word(once) word(one) \
  word(order) word(other) word(outside) word(own) word(phase) word(pipeline) word(plan) word(portable) \
  word(positive) word(program) word(read) word(reads) word(require_async) word(ring) word(run) word(shared) word(skew) \
  word(slot) word(slots) word(smallest) word(stage) word(stages) word(state) word(states) \
  word(stop) word(take) word(takes) word(that) word(the) word(these) word(time) word(timing) word(to) word(twice) \
  word(two) word(wait) word(warps) word(what) word(which) word(window) word(with) word(works) \
  word(writes) word(written)
// Words that C++ has taken, or macros of users often have, end in an underscore.
#define PENSTOCK_TAKEN_WORDS(word) \
  word(A) word(B) word(C) word(D) word(E) word(F) word(G) word(H) word(I) word(J) word(K) word(L) word(M) \
  word(N) word(O) word(P) word(Q) word(R) word(S) word(T) word(U) word(V) word(W) word(X) word(Y) word(Z) \
  word(do) word(for) word(not) word(or) word(return) word(such)
// What stands in names beside letters, and what stands for numbers that no array bound can be.
#define PENSTOCK_SIGNS(sign) \
  sign(_0, "0") sign(_1, "1") sign(_2, "2") sign(_3, "3") sign(_4, "4") sign(_5, "5") sign(_6, "6") \
  sign(_7, "7") sign(_8, "8") sign(_9, "9") sign(_, " ") sign(underscore, "_") sign(dash, "-") \
  sign(dot, ".") sign(slash, "/") sign(unprintable, "?") sign(then, "->") sign(minus, "minus") \
  sign(zero, "zero") sign(word, "word")

template <class... T>
struct vocabulary {};

inline auto declare_vocabulary() {
#define PENSTOCK_PLAIN(text) struct text {};
#define PENSTOCK_TAKEN(text) struct text##_ {};
#define PENSTOCK_SIGN(type, text) struct type {};
  PENSTOCK_WORDS(PENSTOCK_PLAIN) PENSTOCK_TAKEN_WORDS(PENSTOCK_TAKEN) PENSTOCK_SIGNS(PENSTOCK_SIGN)
#undef PENSTOCK_PLAIN
#undef PENSTOCK_TAKEN
#undef PENSTOCK_SIGN
#define PENSTOCK_PLAIN(text) , text
#define PENSTOCK_TAKEN(text) , text##_
#define PENSTOCK_SIGN(type, text) , type
  return vocabulary<void PENSTOCK_WORDS(PENSTOCK_PLAIN) PENSTOCK_TAKEN_WORDS(PENSTOCK_TAKEN)
                        PENSTOCK_SIGNS(PENSTOCK_SIGN)>{};
#undef PENSTOCK_PLAIN
#undef PENSTOCK_TAKEN
#undef PENSTOCK_SIGN
}

// In the order of the types; the first stands for no word.
inline constexpr std::string_view spellings[] = {
    std::string_view{},
#define PENSTOCK_PLAIN(text) #text,
#define PENSTOCK_SIGN(type, text) text,
    PENSTOCK_WORDS(PENSTOCK_PLAIN) PENSTOCK_TAKEN_WORDS(PENSTOCK_PLAIN) PENSTOCK_SIGNS(PENSTOCK_SIGN)
#undef PENSTOCK_PLAIN
#undef PENSTOCK_SIGN
};
#undef PENSTOCK_WORDS
#undef PENSTOCK_TAKEN_WORDS
#undef PENSTOCK_SIGNS

constexpr int find_word(std::string_view spelling) {
  int at = 0;
  for (std::string_view s : spellings) {
    if (at > 0 && s == spelling) return at;
    ++at;
  }
  return 0;
}

constexpr int find_letter(char c) {
  const int at = find_word({&c, 1});
  return at > 0 ? at : find_word("?");
}

// One word, with the letters of a name (from character `first` of the sentence on) or with a number.
struct token {
  int word = 0;
  int first = 0;
  int letters = 0;
  long long amount = 0;
  constexpr bool plain() const { return letters == 0 && amount == 0; }
};

inline constexpr int max_tokens = 160;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Punctuation goes: the compiler puts a comma after every word anyway.
constexpr list<token, max_tokens> split_words(std::string_view sentence) {
  list<token, max_tokens> out;
  const int length = static_cast<int>(sentence.size());
  const auto follows_a_word = [&](int at) {
    return at >= 2 && sentence[at - 1] == ' ' && is_letter(sentence[at - 2]) && out[out.size() - 1].plain();
  };
  for (int i = 0; i < length && out.size() < max_tokens;) {
    const int first = i;
    const char c = sentence[i];
    if (c == '\'') {
      while (++i < length && sentence[i] != '\'') {}
      if (!follows_a_word(first)) out.add(token{find_word("named")});
      out[out.size() - 1].first = first + 1;
      out[out.size() - 1].letters = i - first - 1;
      ++i;
    } else if (is_letter(c)) {
      while (i < length && (is_letter(sentence[i]) || is_digit(sentence[i]) || sentence[i] == '_')) ++i;
      const int known = find_word(sentence.substr(first, i - first));
      out.add(known > 0 ? token{known} : token{find_word("word"), first, i - first});
    } else if (is_digit(c)) {
      long long amount = 0;
      for (; i < length && is_digit(sentence[i]); ++i) amount = amount * 10 + (sentence[i] - '0');
      const bool negative = first > 0 && sentence[first - 1] == '-';
      if (amount == 0) out.add(token{find_word("zero")});
      else if (negative) out.add(token{find_word("minus"), 0, 0, amount});
      else if (follows_a_word(first)) out[out.size() - 1].amount = amount;
      else out.add(token{find_word("number"), 0, 0, amount});
    } else {
      if (sentence.substr(i, 2) == "->") out.add(token{find_word("->")});
      ++i;
    }
  }
  return out;
}

template <int Index, class T>
struct word_entry {
  using type = T;
};
template <class Indices, class Words>
struct word_table;
template <int... Index, class... T>
struct word_table<std::integer_sequence<int, Index...>, vocabulary<T...>> : word_entry<Index, T>... {};
template <int Index, class T>
word_entry<Index, T> entry_at(const word_entry<Index, T>&);

inline constexpr int vocabulary_size = static_cast<int>(sizeof(spellings) / sizeof(spellings[0]));
using all_words = word_table<std::make_integer_sequence<int, vocabulary_size>, decltype(declare_vocabulary())>;
template <int Index>
using word_type = typename decltype(entry_at<Index>(all_words{}))::type;

// The type that spells one token of Says::message: a word, word (letters…) or word [amount].
template <class Says, int Token, int... Letter>
constexpr auto spell_name(std::integer_sequence<int, Letter...>) {
  constexpr token t = Says::tokens[Token];
  return word_entry<0, word_type<t.word>(word_type<find_letter(Says::message.chars[t.first + Letter])>...)>{};
}
template <class Says, int Token>
constexpr auto spell_token() {
  constexpr token t = Says::tokens[Token];
  if constexpr (t.letters > 0) return spell_name<Says, Token>(std::make_integer_sequence<int, t.letters>{});
  else if constexpr (t.amount > 0) return word_entry<0, word_type<t.word>[t.amount]>{};
  else return word_entry<0, word_type<t.word>>{};
}

}  // namespace detail
}  // namespace penstock
