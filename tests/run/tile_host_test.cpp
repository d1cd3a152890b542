// Boxes of strided arrays on the host, in one thread and with a thread an agent.
#include "run/tile_cases.hpp"
#include "run/tile_refusals.hpp"

#include <doctest/doctest.h>

#include <cstdint>

namespace {

using namespace tiles;

template <class Slot, class Mapping, int Rank>
void run_on(const shape<Rank>& s, long long offset) {
  using element = std::remove_all_extents_t<Slot>;
  auto data = coded<element>(s.elements() + offset);
  const std::vector<element> blank(data.size(), static_cast<element>(252));
  auto out = blank, wanted = blank;
  long long stride[Rank];
  s.strides(stride);
  const auto source = make_tiled<Slot, Rank>(data.data() + offset, s.extent, stride);
  const auto target = make_tiled<Slot, Rank>(out.data() + offset, s.extent, stride);
  std::vector<element> dense;
  for_each_element<Slot>(s, [&](long long address, bool exists) {
    const auto at = static_cast<std::size_t>(offset + address);
    dense.push_back(exists ? data[at] : element{});
    if (exists) wanted[at] = data[at];
  });
  std::vector<element> record(dense.size(), static_cast<element>(253));
  seen<Slot, Rank>::template run<Mapping>(source, s.first, s.boxes, record.data(), 0, s.count());
  CHECK(record == dense);
  job<Slot, Rank>::template run<Mapping>(source, target, s.first, s.boxes, 0, s.count());
  CHECK(out == wanted);
}

template <class Slot, int Rank>
void run_case(const shape<Rank>& s, long long offset = 0) {
  run_on<Slot, sequential>(s, offset);
  run_on<Slot, specialised<>>(s, offset);
}

}  // namespace

TEST_CASE("one to five axes, corners and edges, zeros outside") {
  run_case<float[64], 1>({{1000}, 0, {-20}, {17}});
  run_case<float[8][16], 2>({{37, 61}, 64, {-3, -16}, {6, 6}});
  run_case<float[8][16], 2>({{37, 61}, 61, {-3, -5}, {6, 6}}, 1);
  run_case<float[2][4][8], 3>({{5, 13, 30}, 32, {-1, -2, -4}, {4, 5, 5}});
  run_case<float[2][2][3][4], 4>({{3, 4, 7, 10}, 12, {-1, 0, -2, -1}, {3, 3, 4, 4}});
  run_case<float[2][1][2][3][4], 5>({{3, 2, 4, 7, 10}, 12, {-1, 0, 0, -2, -1}, {3, 2, 3, 4, 4}});
}

TEST_CASE("elements of one, two, three and eight bytes") {
  static_assert(arch::widest_piece<tiled<colour[5][10], 2>>() == 1);  // no alignment fits five of them
  run_case<colour[5][10], 2>({{17, 22}, 24, {-3, -2}, {6, 4}}, 1);
  run_case<std::uint8_t[3][7], 2>({{9, 30}, 31, {-1, -3}, {5, 6}}, 5);
  run_case<std::uint16_t[4][24], 2>({{21, 77}, 80, {-1, -9}, {7, 5}});
  run_case<double[4][6], 2>({{21, 31}, 32, {-1, -3}, {7, 7}});
}

TEST_CASE("descriptions that make no sense are refused") { check_refusals(); }
