// Makes a compiler print a sentence that was computed at compile time, as readably as each one can.
#pragma once

#include <penstock/plan/text.hpp>

// Clang 17 and a gcc in C++26 mode take a computed message as it is. Before that, gcc prints a string within a template
// argument whole, clang 15 and 16 up to 36 characters of it, nvcc and older clangs not at all. What nvcc preprocesses
// with another compiler it still parses itself.
#if defined(__NVCC__) || defined(__CUDACC_RTC__) || (defined(__clang__) && __clang_major__ < 15)
#define PENSTOCK_PRINTS_WORDS 1
#include <penstock/plan/words.hpp>
#elif defined(__cpp_static_assert) && __cpp_static_assert >= 202306L
#define PENSTOCK_PRINTS_MESSAGES 1
#elif defined(__clang__)
#define PENSTOCK_STRING_WIDTH 36
#else
#define PENSTOCK_STRING_WIDTH 1000
#endif

namespace penstock {

#if defined(PENSTOCK_PRINTS_MESSAGES)

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
#endif
// Completing refuse<Says> is an error that prints Says::message, a text.
template <class Says>
struct refuse {
  static constexpr bool accepted = Says::message.length < 0;
  static_assert(accepted, Says::message.view());
};
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#elif defined(PENSTOCK_PRINTS_WORDS)

template <class... because>
struct rejected {
  static constexpr bool accepted = false;
};

namespace detail {

template <class Says>
struct tokens_of {
  static constexpr const auto& message = Says::message;
  static constexpr auto tokens = split_words(message.view());
};
template <class Says, int... Token>
rejected<typename decltype(spell_token<tokens_of<Says>, Token>())::type...> print(
    std::integer_sequence<int, Token...>);
template <class Says>
using printed = decltype(print<Says>(std::make_integer_sequence<int, tokens_of<Says>::tokens.count>{}));

}  // namespace detail
#else

// Lines of equal width: a type with one size for all prints as one list of strings.
template <int Lines, int Width>
struct says {
  char lines[Lines > 0 ? Lines : 1][Width + 1]{};
};

template <says because>
struct rejected {
  static constexpr bool accepted = false;
};

namespace detail {

struct page {
  int lines = 0;
  int width = 0;
};

// Calls f(line, column, character) for each character when lines break at spaces, and returns the size of the page.
template <class F>
constexpr page break_lines(std::string_view sentence, int widest, F&& f) {
  const int length = static_cast<int>(sentence.size());
  page size;
  for (int first = 0; first < length;) {
    int last = first + widest < length ? first + widest : length;
    if (last < length)
      for (int k = last; k > first; --k) if (sentence[k - 1] == ' ') { last = k; break; }
    for (int k = first; k < last; ++k) f(size.lines, k - first, sentence[k]);
    if (last - first > size.width) size.width = last - first;
    first = last;
    ++size.lines;
  }
  return size;
}

// The narrowest page with as few lines as the widest one: less padding to look at.
constexpr page fit_page(std::string_view sentence, int widest) {
  const auto measure = [&](int width) { return break_lines(sentence, width, [](int, int, char) {}); };
  page best = measure(widest);
  for (int width = best.width - 1; best.lines > 1 && width > 0; --width) {
    const page tried = measure(width);
    if (tried.lines > best.lines) break;
    best = tried;
  }
  return best;
}

template <class Says>
constexpr auto set_lines() {
  constexpr std::string_view sentence = Says::message.view();
  constexpr page size = fit_page(sentence, PENSTOCK_STRING_WIDTH);
  says<size.lines, size.width> out;
  // written out to its end, or clang takes the line for one that has none and prints numbers
  for (auto& line : out.lines) for (int k = 0; k <= size.width; ++k) line[k] = k < size.width ? ' ' : '\0';
  break_lines(sentence, size.width, [&](int line, int column, char c) {
    // compilers escape an apostrophe and give up on a string that is not ASCII
    out.lines[line][column] = c == '\'' ? '`' : c < ' ' || c > '~' ? '?' : c;
  });
  return out;
}

template <class Says>
using printed = rejected<set_lines<Says>()>;

}  // namespace detail
#endif

#if !defined(PENSTOCK_PRINTS_MESSAGES)

template <class Because>
struct refuse_because {
  static_assert(Because::accepted, "penstock rejects this, for the reason that is spelled in rejected<...>");
};

// Completing refuse<Says> is an error that prints Says::message, a text.
template <class Says>
using refuse = refuse_because<detail::printed<Says>>;

#endif
#undef PENSTOCK_PRINTS_MESSAGES
#undef PENSTOCK_PRINTS_WORDS
#undef PENSTOCK_STRING_WIDTH

}  // namespace penstock
