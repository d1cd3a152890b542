// Sentences built at compile time, so that a rejected plan explains itself in the compiler's output.
#pragma once

#include <cstddef>
#include <string_view>

namespace penstock {

template <int Capacity>
struct text {
  char chars[Capacity + 1]{};
  int length = 0;

  // What does not fit ends in an ellipsis rather than in an error about the error.
  constexpr text& operator<<(std::string_view s) {
    for (char c : s) {
      if (length == Capacity) {
        for (int k = 1; k <= 3; ++k) chars[Capacity - k] = '.';
        return *this;
      }
      chars[length++] = c;
    }
    return *this;
  }
  constexpr text& operator<<(long long value) {
    char digits[20]{};
    int n = 0;
    unsigned long long rest = value < 0 ? 0ull - static_cast<unsigned long long>(value)
                                        : static_cast<unsigned long long>(value);
    do { digits[n++] = static_cast<char>('0' + rest % 10); rest /= 10; } while (rest != 0);
    if (value < 0) *this << std::string_view("-");
    while (n > 0) *this << std::string_view(&digits[--n], 1);
    return *this;
  }
  constexpr text& operator<<(int value) { return *this << static_cast<long long>(value); }
  constexpr std::string_view view() const { return {chars, static_cast<std::size_t>(length)}; }
};

}  // namespace penstock
