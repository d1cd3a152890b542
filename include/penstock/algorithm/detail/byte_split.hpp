// A contiguous copy as 16-byte words at aligned places of the target, and the bytes at both ends.
#pragma once

#include <penstock/algorithm/arguments.hpp>

namespace penstock::detail {

struct byte_range {
  unsigned char* to;
  const unsigned char* from;
  long long bytes;
};

template <class Target, class Source>
byte_range admit_copy(Target dst, Source src, long long count) {
  using T = written_element_of<Target>;
  using S = element_of<Source>;
  static_assert(std::is_same_v<T, std::remove_const_t<S>>, "copy moves elements of one type; convert changes types");
  static_assert(std::is_trivially_copyable_v<T>, "copy moves bytes: its elements must be trivially copyable");
  const long long bytes = checked_bytes(count, sizeof(T), "the count of elements to copy");
  T* to = contiguous<Target>::address(dst);
  S* from = contiguous<Source>::address(src);
  check_memory(to, bytes, alignof(T), "the target of the copy");
  check_memory(from, bytes, alignof(T), "the source of the copy");
  check_disjoint(to, bytes, from, bytes);
  return byte_range{reinterpret_cast<unsigned char*>(to), reinterpret_cast<const unsigned char*>(from), bytes};
}

// `head` bytes, `words` words of 16 bytes at aligned places of the target, `tail` bytes.
struct split_range {
  unsigned char* to;
  const unsigned char* from;
  long long head, words, tail;
  unsigned skip;  // bytes by which the source lags behind its own alignment where the target's words begin
};

// Words of a misaligned source come from two aligned ones; head and tail are as long as keeps both inside the range.
inline split_range split_copy(const byte_range& r) {
  // whole cache lines for large copies, so that no line is written by two warps
  const long long line = r.bytes >= 4096 ? 128 : 16;
  split_range s{r.to, r.from, 0, 0, 0, 0};
  s.head = (line - static_cast<long long>(bits(r.to) % static_cast<std::uintptr_t>(line))) % line;
  s.skip = static_cast<unsigned>((bits(r.from) + static_cast<std::uintptr_t>(s.head)) % 16);
  if (s.head < static_cast<long long>(s.skip)) s.head += line;
  s.words = (r.bytes - s.head + s.skip) / 16 - (s.skip != 0 ? 1 : 0);
  if (r.bytes < s.head || s.words <= 0) {
    s.head = r.bytes;
    s.words = 0;
  }
  s.tail = r.bytes - s.head - 16 * s.words;
  return s;
}

}  // namespace penstock::detail
