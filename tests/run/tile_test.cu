// Boxes of strided arrays on the backend this file is compiled for, with a tensor map where there can be one and without.
#include "run/tile_cases.hpp"
#include "run/tile_refusals.hpp"
#include "support/device_array.hpp"

#include <penstock/run/launch.hpp>

#include <cstdint>

namespace {

using namespace tiles;

template <class Slot, int Rank>
struct grid {
  int first[Rank];
  int boxes[Rank];
};

template <class Slot, int Rank>
__global__ void move_boxes(const __grid_constant__ tiled<Slot, Rank> in, const __grid_constant__ tiled<Slot, Rank> out,
                           grid<Slot, Rank> g, long long count) {
  const long long each = (count + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * each;
  job<Slot, Rank>::template run<>(in, out, g.first, g.boxes, begin, begin + each < count ? begin + each : count);
}

template <class Slot, int Rank>
__global__ void see_boxes(const __grid_constant__ tiled<Slot, Rank> in, grid<Slot, Rank> g, long long count,
                          std::remove_all_extents_t<Slot>* dense) {
  const long long each = (count + gridDim.x - 1) / gridDim.x, begin = blockIdx.x * each;
  seen<Slot, Rank>::template run<>(in, g.first, g.boxes, dense, begin, begin + each < count ? begin + each : count);
}

// `offset` elements before the array keep its address from being aligned.
template <class Slot, int Rank>
void run_case(const shape<Rank>& s, long long offset, bool expect_map) {
  using element = std::remove_all_extents_t<Slot>;
  const auto data = coded<element>(s.elements() + offset);
  const std::vector<element> blank(data.size(), static_cast<element>(252));
  const device_array<element> in(data), out(blank);
  long long stride[Rank];
  s.strides(stride);
  const auto source = make_tiled<Slot, Rank>(in.data() + offset, s.extent, stride);
  const auto target = make_tiled<Slot, Rank>(out.data() + offset, s.extent, stride);
  INFO("rank " << Rank << ", element " << sizeof(element) << " bytes, offset " << offset);
  CHECK_MESSAGE(source.mapped == expect_map, tensor_map_obstacle(source));
  std::vector<element> dense;      // what readers of the slots see
  auto wanted = blank;
  for_each_element<Slot>(s, [&](long long address, bool exists) {
    const auto at = static_cast<std::size_t>(offset + address);
    dense.push_back(exists ? data[at] : element{});
    if (exists) wanted[at] = data[at];  // inside the boxes the data, everywhere else what was there
  });
  grid<Slot, Rank> g;
  for (int a = 0; a < Rank; ++a) {
    g.first[a] = s.first[a];
    g.boxes[a] = s.boxes[a];
  }
  const device_array<element> record(std::vector<element>(dense.size(), static_cast<element>(253)));
  launch<typename seen<Slot, Rank>::line>(nullptr, 3, see_boxes<Slot, Rank>, source, g, s.count(), record.data());
  require(cudaDeviceSynchronize());
  CHECK(record.read() == dense);
  launch<typename job<Slot, Rank>::line>(nullptr, 3, move_boxes<Slot, Rank>, source, target, g, s.count());
  require(cudaDeviceSynchronize());
  CHECK(out.read() == wanted);
}

}  // namespace

// A row of a box that starts at a multiple of 16 bytes is fetched by tensor map, and written by it where the array's rows
// also end at one; all others by threads.
TEST_CASE("one to five axes, corners and edges, zeros outside") {
  run_case<float[64], 1>({{1000}, 0, {-20}, {17}}, 0, true);
  run_case<float[8][16], 2>({{37, 64}, 64, {-3, -16}, {6, 6}}, 0, true);
  run_case<float[8][16], 2>({{37, 60}, 64, {-3, -4}, {6, 6}}, 0, true);
  run_case<float[4][8], 3>({{5, 13, 28}, 32, {-1, -2, -4}, {7, 5, 5}}, 0, true);  // boxes one plane thick
  run_case<float[2][4][8], 3>({{5, 13, 28}, 32, {-1, -2, -4}, {4, 5, 5}}, 0, true);
  run_case<float[2][2][3][4], 4>({{3, 4, 7, 12}, 12, {-1, 0, -2, -4}, {3, 3, 4, 5}}, 0, true);
  run_case<float[2][1][2][3][4], 5>({{3, 2, 4, 7, 12}, 12, {-1, 0, 0, -2, -4}, {3, 2, 3, 4, 5}}, 0, true);
}

TEST_CASE("arrays whose rows end within 16 bytes") {
  run_case<float[64], 1>({{1001}, 0, {-20}, {17}}, 0, true);
  run_case<float[8][16], 2>({{37, 61}, 64, {-3, -16}, {6, 6}}, 0, true);
  run_case<float[2][4][8], 3>({{5, 13, 30}, 32, {-1, -2, -4}, {4, 5, 5}}, 0, true);
  run_case<float[2][2][3][4], 4>({{3, 4, 7, 10}, 12, {-1, 0, -2, -4}, {3, 3, 4, 4}}, 0, true);
}

TEST_CASE("boxes whose rows start within 16 bytes") {
  run_case<float[64], 1>({{1000}, 0, {-21}, {17}}, 0, true);
  run_case<float[8][16], 2>({{37, 64}, 64, {-3, -5}, {6, 6}}, 0, true);
  run_case<float[2][4][8], 3>({{5, 13, 28}, 32, {-1, -2, -3}, {4, 5, 5}}, 0, true);
  run_case<float[2][2][3][4], 4>({{3, 4, 7, 12}, 12, {-1, 0, -2, -1}, {3, 3, 4, 4}}, 0, true);
  run_case<float[2][1][2][3][4], 5>({{3, 2, 4, 7, 10}, 12, {-1, 0, 0, -2, -1}, {3, 2, 3, 4, 4}}, 0, true);
}

TEST_CASE("elements of one, two and eight bytes") {
  run_case<std::uint8_t[4][32], 2>({{21, 80}, 80, {-1, -16}, {7, 4}}, 0, true);
  run_case<std::uint8_t[4][32], 2>({{21, 77}, 80, {-1, -7}, {7, 4}}, 0, true);
  run_case<std::uint16_t[4][24], 2>({{21, 72}, 80, {-1, -8}, {7, 5}}, 0, true);
  run_case<std::uint16_t[4][24], 2>({{21, 77}, 80, {-1, -9}, {7, 5}}, 0, true);
  run_case<double[4][6], 2>({{21, 30}, 32, {-1, -2}, {7, 7}}, 0, true);
  run_case<double[4][6], 2>({{21, 31}, 32, {-1, -3}, {7, 7}}, 0, true);
}

TEST_CASE("arrays that can have no tensor map") {
  run_case<float[8][16], 2>({{37, 61}, 61, {-3, -16}, {6, 6}}, 0, false);  // odd pitch
  run_case<float[8][16], 2>({{37, 61}, 64, {-3, -16}, {6, 6}}, 1, false);  // unaligned base
  run_case<float[5][3], 2>({{17, 22}, 24, {-3, -2}, {6, 9}}, 0, false);    // rows of 12 bytes
  run_case<std::uint16_t[4][24], 2>({{21, 77}, 77, {-1, -9}, {7, 5}}, 3, false);
  run_case<std::uint8_t[3][7], 2>({{9, 30}, 31, {-1, -3}, {5, 6}}, 5, false);
  run_case<colour[5][10], 2>({{17, 22}, 24, {-3, -2}, {6, 4}}, 1, false);  // elements of 3 bytes
}

TEST_CASE("descriptions that make no sense are refused before anything is launched") { tiles::check_refusals(); }
