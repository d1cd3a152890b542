// A sentence as a template argument, for compilers that print short strings there.
#pragma once

#include <string_view>

namespace penstock {

// Lines of equal width, since one array prints as one list of strings.
template <int Lines, int Width>
struct says {
  char lines[Lines > 0 ? Lines : 1][Width + 1]{};
};

namespace detail {

struct page {
  int lines = 0;
  int width = 0;
  constexpr bool operator==(const page&) const = default;
};

// Calls f(line, column, character) for each character when lines break at spaces; returns the size of the page.
template <class F>
constexpr page break_lines(std::string_view sentence, int widest, F&& f) {
  const int length = static_cast<int>(sentence.size());
  page size;
  for (int first = 0; first < length;) {
    int last = first + widest < length ? first + widest : length;
    if (last < length)
      for (int k = last; k > first; --k)
        if (sentence[k - 1] == ' ') {
          last = k;
          break;
        }
    for (int k = first; k < last; ++k) f(size.lines, k - first, sentence[k]);
    if (last - first > size.width) size.width = last - first;
    first = last;
    ++size.lines;
  }
  return size;
}

// The narrowest page with as few lines as the widest one has: less padding to look at.
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

// Says::message, a text, in lines of at most Widest characters.
template <class Says, int Widest>
constexpr auto set_lines() {
  constexpr std::string_view sentence = Says::message.view();
  constexpr page size = fit_page(sentence, Widest);
  says<size.lines, size.width> out;
  // written out to its end, or clang takes the line for one that has none and prints numbers
  for (auto& line : out.lines)
    for (int k = 0; k <= size.width; ++k) line[k] = k < size.width ? ' ' : '\0';
  break_lines(sentence, size.width, [&](int line, int column, char c) {
    // compilers escape an apostrophe, and print numbers for a string that is not ASCII
    out.lines[line][column] = c == '\'' ? '`' : c < ' ' || c > '~' ? '?' : c;
  });
  return out;
}

}  // namespace detail
}  // namespace penstock
