// One step of one tile: what a body does with the slots that it sees.
#pragma once

#include <penstock/run/tensor_map.hpp>

#include "cut.hpp"

namespace penstock::examples {

template <class T, int Axes>
struct sweep {
  tiled<typename tile_shape<T, Axes>::slot, Axes> from;
  T* to = nullptr;
  grid g;
  long long pitch = 0;
  cut c;
};

template <class T, int Axes>
sweep<T, Axes> make_sweep(T* from, T* to, const grid& g, const cut& c) {
  using slot = typename tile_shape<T, Axes>::slot;
  const long long pitch = pitch_of<T>(g);
  if constexpr (Axes == 3)
    return {make_tiled<slot, 3>(from, {g.planes, g.rows, g.columns}, {pitch * g.rows, pitch, 1}), to, g,
            pitch, c};
  else
    return {make_tiled<slot, 2>(from, {g.rows, g.columns}, {pitch, 1}), to, g, pitch, c};
}

// As many cells as fit 16 bytes.
template <class T>
struct alignas(16) pack {
  T cell[16 / sizeof(T)];
  static PENSTOCK_HD const pack& at(const T* address) { return *reinterpret_cast<const pack*>(address); }
};

// Step `step` of the tile at row y0 and column x0, whose slots `in` shows.
template <class T, int Axes, class Group, class View>
PENSTOCK_HD void diffuse_tile(const sweep<T, Axes>& s, const Group& group, const View& in, long long step,
                              long long y0, long long x0) {
  using shape = tile_shape<T, Axes>;
  constexpr int halo = shape::pack, packs = shape::columns / shape::pack, rows_each = 2;
  // A plane without both neighbours is a face.
  const bool face = Axes == 3 && !(in.has(-1) && in.has(1));
  const auto row = [&](int r) -> const T* {
    if constexpr (Axes == 3)
      return in[0][r + 1];
    else if (r < 0)
      return in[in.has(-1) ? -1 : 0][shape::rows - 1];
    else if (r == shape::rows)
      return in[in.has(1) ? 1 : 0][0];
    else
      return in[0][r];
  };
  for (int k = group.rank(); k < packs * shape::rows / rows_each; k += group.size()) {
    const int column = halo + k % packs * shape::pack, first = k / packs * rows_each;
    const long long x = x0 + column - halo;
    if (x >= s.g.columns) continue;
    pack<T> up = pack<T>::at(row(first - 1) + column), here = pack<T>::at(row(first) + column);
    for (int r = first; r < first + rows_each; ++r) {
      const long long y = y0 + r;
      if (y >= s.g.rows) break;
      const pack<T> down = pack<T>::at(row(r + 1) + column);
      const T left = row(r)[column - 1], right = row(r)[column + shape::pack];
      const pack<T> now = here;
      const auto west = [&](int l) { return l == 0 ? left : now.cell[l == 0 ? 0 : l - 1]; };
      const auto east = [&](int l) {
        return l == shape::pack - 1 ? right : now.cell[l == shape::pack - 1 ? l : l + 1];
      };
      pack<T> out;
      if constexpr (Axes == 3) {
        const pack<T> before = pack<T>::at(in[face ? 0 : -1][r + 1] + column);
        const pack<T> after = pack<T>::at(in[face ? 0 : 1][r + 1] + column);
        for (int l = 0; l < shape::pack; ++l)
          out.cell[l] = diffused(now.cell[l], west(l), east(l), up.cell[l], down.cell[l], before.cell[l],
                                 after.cell[l]);
      } else {
        for (int l = 0; l < shape::pack; ++l)
          out.cell[l] = diffused(now.cell[l], west(l), east(l), up.cell[l], down.cell[l]);
      }
      // columns past the last read as zero and stay zero
      const bool edge = face || y == 0 || y == s.g.rows - 1;
      for (int l = 0; l < shape::pack; ++l)
        if (edge || x + l == 0 || x + l >= s.g.columns - 1) out.cell[l] = now.cell[l];
      const long long line = Axes == 3 ? step * s.g.rows + y : y;
      *reinterpret_cast<pack<T>*>(s.to + line * s.pitch + x) = out;
      up = here;
      here = down;
    }
  }
}

}  // namespace penstock::examples
