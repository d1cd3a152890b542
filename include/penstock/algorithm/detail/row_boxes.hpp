// Strided copies as rows of adjacent bytes, cut into items that one thread moves each. Computed on the host.
#pragma once

#include <penstock/algorithm/detail/divider.hpp>
#include <penstock/algorithm/strided.hpp>

#include <algorithm>

namespace penstock::detail {

// What a thread moves: a word of 1, 2, 4, 8 or 16 bytes that everything is aligned to, or (0) an aligned 16-byte chunk
// of the target, put together from two words of the source, with partial chunks at both ends of a row.
inline constexpr int realigned = 0;

inline constexpr long long most_items =
    0x7fffffff - 512 * 4;  // what a divider takes, after rounding up to whole blocks

struct row_box {
  unsigned char* to;
  const unsigned char* from;  // null: the target is filled instead
  long long row;              // bytes
  long long to_stride[5], from_stride[5];
  divider per_row;            // items
  divider extent[5];
  int axes;                   // outside the row
  int width;                  // of an item: realigned or a word
  unsigned items;
  const unsigned char* from_end;  // one past the last byte of the source box
};

constexpr long long alignment_of(unsigned long long bits) {
  return bits == 0 ? 16 : std::min<long long>(16, static_cast<long long>(bits & (~bits + 1)));
}

// The widest word that divides rows and steps alike.
inline int common_word(const strided_copy& c, long long row, bool filled) {
  unsigned long long together = bits(c.to) | static_cast<unsigned long long>(row);
  if (!filled) together |= bits(c.from);
  for (int a = 0; a < c.axes; ++a)
    together |= static_cast<unsigned long long>(c.to_stride[a]) |
                (filled ? 0ull : static_cast<unsigned long long>(c.from_stride[a]));
  return static_cast<int>(alignment_of(together));
}

// Takes the innermost axis into the row where it is adjacent on both sides.
inline long long take_row(strided_copy& c, bool filled = false) {
  if (c.axes == 0) return c.element;
  const int a = c.axes - 1;
  if (c.to_stride[a] != c.element || (!filled && c.from_stride[a] != c.element)) return c.element;
  --c.axes;
  return c.extent[a] * c.element;
}

// Narrow rows go word by word; wide ones that no 16-byte word divides are realigned.
constexpr int item_width(int word, long long row, bool filled) {
  return word == 16 || filled || row < 16ll * word ? word : realigned;
}

inline row_box make_row_box(strided_copy c, bool filled = false) {
  row_box b{};
  b.to = c.to;
  b.from = filled ? nullptr : c.from;
  b.from_end = filled ? nullptr : c.from + span_of(c, c.from_stride);
  b.row = take_row(c, filled);
  b.width = item_width(common_word(c, b.row, filled), b.row, filled);
  // where rows begin at different places of a chunk, count for the worst
  const unsigned long long steps = [&] {
    unsigned long long together = 0;
    for (int a = 0; a < c.axes; ++a) together |= static_cast<unsigned long long>(c.to_stride[a]);
    return together;
  }();
  const long long offset = steps % 16 == 0 ? static_cast<long long>(bits(c.to) % 16) : 15;
  const long long per_row = b.width == realigned ? (offset + b.row + 15) / 16 : b.row / b.width;
  b.per_row = divider(per_row);
  b.axes = c.axes;
  long long rows = 1;
  for (int a = 0; a < c.axes; ++a) {
    b.extent[a] = divider(c.extent[a]);
    b.to_stride[a] = c.to_stride[a];
    b.from_stride[a] = filled ? 0 : c.from_stride[a];
    rows *= c.extent[a];
  }
  b.items = static_cast<unsigned>(rows * per_row);
  return b;
}

// Items a box of this copy would have, as make_row_box counts them or more.
inline long long items_bound(const strided_copy& c, bool filled = false) {
  strided_copy outer = c;
  const long long row = take_row(outer, filled);
  const int width = item_width(common_word(outer, row, filled), row, filled);
  return outer.elements() * (width == realigned ? row / 16 + 2 : row / width);
}

// Calls visit with parts of c that have at most `most_items` items each, cutting the slowest axes.
template <class Visit>
void for_each_part(const strided_copy& c, bool filled, const Visit& visit) {
  const long long items = items_bound(c, filled);
  if (items <= most_items) {
    visit(c);
    return;
  }
  int axis = 0;
  while (c.extent[axis] == 1) ++axis;
  const long long half = c.extent[axis] / 2;
  strided_copy low = c, high = c;
  low.extent[axis] = half;
  high.extent[axis] = c.extent[axis] - half;
  high.to += half * c.to_stride[axis];
  if (!filled) high.from += half * c.from_stride[axis];
  for_each_part(low, filled, visit);
  for_each_part(high, filled, visit);
}

}  // namespace penstock::detail
