// Boxes of strided arrays, copied through a pipeline: the same bytes on every backend, zeros outside, nothing written
// outside.
#pragma once

#include <penstock/run/run.hpp>
#include <penstock/run/tensor_map.hpp>

#include <cstddef>
#include <vector>

namespace tiles {

using namespace penstock;

// An element of a size that no alignment has.
struct colour {
  unsigned char part[3];
  colour() = default;
  explicit constexpr colour(std::size_t x)
      : part{static_cast<unsigned char>(x), static_cast<unsigned char>(x * 7), static_cast<unsigned char>(x * 31)} {}
  bool operator==(const colour&) const = default;
};

// Never what lies outside an array, 0, nor what tests fill memory with, 252 and 253.
template <class Element>
std::vector<Element> coded(long long n) {
  std::vector<Element> v(static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = static_cast<Element>((k * 2654435761u >> 7) % 251 + 1);
  return v;
}

template <class Slot, int Rank>
struct job {
  using array = tiled<Slot, Rank>;
  using element = typename array::element;
  using line = pipeline<buffer<"box", Slot, depth<3>>, stage<"read", async, writes<"box">>,
                        stage<"write", async, reads<"box">>>;

  // Moves every box of a grid of boxes from `in` to `out`, and keeps a dense record of what was read.
  template <class... O>
  static PENSTOCK_HD void run(const array& in, const array& out, const int (&first)[Rank], const int (&boxes)[Rank],
                              long long begin, long long end) {
    const auto corner = [&](long long i, long long (&at)[Rank]) {
      for (int a = Rank - 1; a >= 0; --a) {
        at[a] = first[a] + i % boxes[a] * array::box(a);
        i /= boxes[a];
      }
    };
    penstock::run<line, O...>(
        end - begin,
        on<"read">([&](long long i) {
          tile<array> t{&in, {}};
          corner(begin + i, t.at);
          return incoming<tile<array>>{t};
        }),
        on<"write">([&](long long i) {
          tile<array> t{&out, {}};
          corner(begin + i, t.at);
          return outgoing<tile<array>>{t};
        }));
  }
};

// The same boxes through a body that stores each slot densely: what a reader of the slot sees, zeros included.
template <class Slot, int Rank>
struct seen {
  using array = tiled<Slot, Rank>;
  using element = typename array::element;
  static constexpr int elements = static_cast<int>(sizeof(Slot) / sizeof(element));
  using line = pipeline<buffer<"box", Slot, depth<2>>, stage<"read", async, writes<"box">>,
                        stage<"store", penstock::sync, reads<"box">>>;
  template <class... O>
  static PENSTOCK_HD void run(const array& in, const int (&first)[Rank], const int (&boxes)[Rank], element* dense,
                              long long begin, long long end) {
    penstock::run<line, O...>(
        end - begin,
        on<"read">([&](long long i) {
          tile<array> t{&in, {}};
          long long rest = begin + i;
          for (int a = Rank - 1; a >= 0; --a) {
            t.at[a] = first[a] + rest % boxes[a] * array::box(a);
            rest /= boxes[a];
          }
          return incoming<tile<array>>{t};
        }),
        on<"store">([&](auto g, auto& box, long long i) {
          const element* from = reinterpret_cast<const element*>(&box);
          for (int k = g.rank(); k < elements; k += g.size()) dense[(begin + i) * elements + k] = from[k];
        }));
  }
};

// Shapes: extents and row pitch of an array, where its grid of boxes begins, and how many boxes there are.
template <int Rank>
struct shape {
  long long extent[Rank];
  long long pitch;  // elements between rows
  int first[Rank];
  int boxes[Rank];

  long long count() const {
    long long n = 1;
    for (int a = 0; a < Rank; ++a) n *= boxes[a];
    return n;
  }
  void strides(long long (&s)[Rank]) const {
    s[Rank - 1] = 1;
    for (int a = Rank - 2; a >= 0; --a) s[a] = a == Rank - 2 ? pitch : s[a + 1] * extent[a + 1];
  }
  long long elements() const {
    long long n = Rank == 1 ? extent[0] : pitch;
    for (int a = 0; a < Rank - 1; ++a) n *= extent[a];
    return n;
  }
};

// Calls f(address, exists) for every element of every box, in the order of the dense record.
template <class Slot, int Rank, class F>
void for_each_element(const shape<Rank>& s, F&& f) {
  using array = tiled<Slot, Rank>;
  long long stride[Rank], inside = 1;
  s.strides(stride);
  for (int a = 0; a < Rank; ++a) inside *= array::box(a);
  for (long long i = 0; i < s.count() * inside; ++i) {
    long long box = i / inside, within = i % inside, address = 0;
    bool exists = true;
    for (int a = Rank - 1; a >= 0; --a) {
      const long long x = s.first[a] + box % s.boxes[a] * array::box(a) + within % array::box(a);
      box /= s.boxes[a];
      within /= array::box(a);
      exists = exists && x >= 0 && x < s.extent[a];
      address += x * stride[a];
    }
    f(address, exists);
  }
}

}  // namespace tiles
