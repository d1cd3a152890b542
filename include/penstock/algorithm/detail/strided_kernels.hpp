// Which kernel a strided copy takes: contiguous words, rows, or a transposition through tiles.
#pragma once

#include <penstock/algorithm/detail/copy_kernel.hpp>
#include <penstock/algorithm/detail/transpose_kernel.hpp>

namespace penstock::detail {

// An axis other than the innermost that is adjacent in the source, where the innermost is adjacent in the target alone.
inline int turned_axis(const strided_copy& c) {
  if (c.axes < 2 || c.to_stride[c.axes - 1] != c.element || c.from_stride[c.axes - 1] == c.element) return -1;
  for (int a = 0; a < c.axes - 1; ++a) if (c.from_stride[a] == c.element) return a;
  return -1;
}

// A grid takes 2^31 tiles: no array that memory holds has more, unless it is made of planes of a few elements.
inline bool turns_by_tiles(const strided_copy& c) {
  const long long e = c.element;
  const int turned = turned_axis(c);
  if (turned < 0 || (e != 1 && e != 2 && e != 4 && e != 8 && e != 16) ||
      bits(c.to) % static_cast<std::uintptr_t>(e) != 0 || bits(c.from) % static_cast<std::uintptr_t>(e) != 0)
    return false;
  constexpr long long smallest = 16;  // side of a tile
  long long tiles = 1;
  for (int a = 0; a < c.axes; ++a)
    tiles *= a == turned || a == c.axes - 1 ? ceil_div(c.extent[a], smallest) : c.extent[a];
  return tiles <= most_blocks;
}

inline transposition make_transposition(const strided_copy& c) {
  const int inner = c.axes - 1, turned = turned_axis(c);
  transposition t{};
  t.to = c.to;
  t.from = c.from;
  t.rows = c.extent[inner];
  t.columns = c.extent[turned];
  t.from_pitch = c.from_stride[inner];
  t.to_pitch = c.to_stride[turned];
  t.from_end = c.from + span_of(c, c.from_stride);
  for (int a = 0; a < inner; ++a) {
    if (a == turned) continue;
    t.extent[t.axes] = divider(c.extent[a]);
    t.to_stride[t.axes] = c.to_stride[a];
    t.from_stride[t.axes] = c.from_stride[a];
    ++t.axes;
  }
  return t;
}

inline void move_strided(cudaStream_t stream, const strided_copy& c) {
  if (c.empty()) return;
  if (c.axes == 0 || (c.axes == 1 && c.to_stride[0] == c.element && c.from_stride[0] == c.element)) {
    const byte_range r{c.to, c.from, c.elements() * c.element};
    const int capability = compute_capability(current_device());
    copy_vectorised(stream, split_copy(r), copy_policy(capability, r.bytes));
  } else if (turns_by_tiles(c)) {
    const transposition t = make_transposition(c);
    switch (c.element) {
      case 1: start_transposition<1>(stream, t); break;
      case 2: start_transposition<2>(stream, t); break;
      case 4: start_transposition<4>(stream, t); break;
      case 8: start_transposition<8>(stream, t); break;
      default: start_transposition<16>(stream, t); break;
    }
  } else {
    for_each_part(c, false, [&](const strided_copy& part) { start_row_box(stream, make_row_box(part)); });
  }
}

}  // namespace penstock::detail
