// What the arguments of device-wide algorithms must satisfy: checked on the host, before anything is launched.
#pragma once

#include <penstock/run/error.hpp>

#include <cstdint>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

namespace penstock {

// How an algorithm gets the address behind an iterator. Pointers and contiguous iterators work as they are;
// <penstock/algorithm/thrust.hpp> adds Thrust's device iterators.
template <class Iterator>
struct contiguous {
  static_assert(std::is_pointer_v<Iterator> || std::contiguous_iterator<Iterator>,
                "pass a pointer or a contiguous iterator; include <penstock/algorithm/thrust.hpp> for Thrust's");
  static auto address(Iterator i) { return std::to_address(i); }
};

namespace detail {

template <class Iterator>
using pointee_of = std::remove_pointer_t<decltype(contiguous<Iterator>::address(std::declval<Iterator>()))>;

template <class T>
struct element {
  static_assert(!std::is_void_v<T>, "void has no elements: cast the pointer to the type of the elements, such as char");
  static_assert(!std::is_volatile_v<T>, "elements are moved as bytes: they must not be volatile");
  using type = T;
};
template <class T>
struct written_element : element<T> {
  static_assert(!std::is_const_v<T>, "the target is written: its elements must not be const");
};

// Of a source, and of a target.
template <class Iterator>
using element_of = typename element<pointee_of<Iterator>>::type;
template <class Iterator>
using written_element_of = typename written_element<pointee_of<Iterator>>::type;

inline std::uintptr_t bits(const volatile void* p) { return reinterpret_cast<std::uintptr_t>(p); }

inline std::string hex(std::uintptr_t value) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  do text.insert(text.begin(), digits[value % 16]); while ((value /= 16) != 0);
  return "0x" + text;
}

// Bytes of `count` elements; refuses what is negative or more than an address can reach.
inline long long checked_bytes(long long count, long long size, const char* what) {
  if (count < 0)
    refuse(std::errc::invalid_argument, std::string(what) + " is " + std::to_string(count) + "; it must be 0 or more");
  long long bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes))
    refuse(std::errc::value_too_large, std::string(what) + " is " + std::to_string(count) + "; times " +
                                           std::to_string(size) + " bytes that is more than 2^63 - 1");
  return bytes;
}

// `bytes` bytes at p, which elements of this alignment lie in.
inline void check_memory(const volatile void* p, long long bytes, std::size_t alignment, const char* what) {
  if (bytes == 0) return;
  if (p == nullptr)
    refuse(std::errc::bad_address,
           std::string(what) + " is null, but " + std::to_string(bytes) + " bytes are to be moved");
  if (bits(p) % alignment != 0)
    refuse(std::errc::invalid_argument, std::string(what) + " is " + hex(bits(p)) +
                                            ", not a multiple of its elements' alignment, " +
                                            std::to_string(alignment));
  std::uintptr_t end = 0;
  if (__builtin_add_overflow(bits(p), static_cast<std::uintptr_t>(bytes), &end))
    refuse(std::errc::value_too_large, std::string(what) + " is " + hex(bits(p)) + "; " + std::to_string(bytes) +
                                           " bytes from there run past the end of the address space");
}

// A target may be one of the sources only where each element depends on its own place alone.
enum class in_place : bool { no, yes };

inline void check_disjoint(const volatile void* target, long long target_bytes, const volatile void* source,
                           long long source_bytes, in_place allowed = in_place::no,
                           const char* target_name = "the target", const char* source_name = "the source") {
  if (target_bytes == 0 || source_bytes == 0) return;
  if (allowed == in_place::yes && bits(target) == bits(source) && target_bytes == source_bytes) return;
  const std::uintptr_t t = bits(target), s = bits(source);
  if (t < s + static_cast<std::uintptr_t>(source_bytes) && s < t + static_cast<std::uintptr_t>(target_bytes))
    refuse(std::errc::invalid_argument, std::string(target_name) + ", " + std::to_string(target_bytes) + " bytes at " +
                                            hex(t) + ", overlaps " + source_name + ", " +
                                            std::to_string(source_bytes) + " bytes at " + hex(s) +
                                            "; they must be apart");
}

}  // namespace detail

}  // namespace penstock
