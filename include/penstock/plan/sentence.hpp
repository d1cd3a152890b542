// Makes a compiler print a sentence that was computed at compile time, as readably as each one can.
#pragma once

#include <penstock/plan/text.hpp>

// Clang 17 and a gcc in C++26 mode take a computed message as it is. Before that, gcc prints a string within a
// template argument whole, clang 15 and 16 up to 36 characters of it, nvcc and older clangs not at all. What
// another compiler preprocesses for nvcc, nvcc still parses itself.
#if defined(__NVCC__) || defined(__CUDACC_RTC__) || (defined(__clang__) && __clang_major__ < 15)
#define PENSTOCK_PRINTS_WORDS 1
#include <penstock/plan/words.hpp>
#elif defined(__cpp_static_assert) && __cpp_static_assert >= 202306L
#define PENSTOCK_PRINTS_MESSAGES 1
#else
#include <penstock/plan/lines.hpp>
#endif

namespace penstock {

#if defined(PENSTOCK_PRINTS_MESSAGES)

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++26-extensions"
#endif
// Completing refusal<Says> is an error that prints Says::message, a text.
template <class Says>
struct refusal {
  static constexpr bool accepted = Says::message.length < 0;
  static_assert(accepted, Says::message.view());
};
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#else
#if defined(PENSTOCK_PRINTS_WORDS)

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

template <says because>
struct rejected {
  static constexpr bool accepted = false;
};

namespace detail {

#if defined(__clang__)
inline constexpr int longest_string = 36;
#else
inline constexpr int longest_string = 1000;
#endif
template <class Says>
using printed = rejected<set_lines<Says, longest_string>()>;

}  // namespace detail
#endif

template <class Because>
struct refused_because {
  static_assert(Because::accepted, "penstock rejects this, for the reason that is spelled in rejected<...>");
};

// Completing refusal<Says> is an error that prints Says::message, a text.
template <class Says>
using refusal = refused_because<detail::printed<Says>>;

#endif
#undef PENSTOCK_PRINTS_MESSAGES
#undef PENSTOCK_PRINTS_WORDS

}  // namespace penstock
