// What make_tiled refuses, and the sentence that it says.
#pragma once

#include "support/refusals.hpp"

#include <penstock/run/tensor_map.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace tiles {

using namespace penstock;

inline void check_refusals() {
  float* const memory = reinterpret_cast<float*>(std::uintptr_t{0x10000});
  using slot = float[8][16];
  using planes = float[1][8][16];
  CHECK(refused([&] { make_tiled<slot, 2>(nullptr, {4, 4}); }, "the array has elements but its address is null"));
  CHECK(refused([&] { make_tiled<slot, 2>(memory, {4, -1}); }, "extent 1 of the array is -1; extents are 0 or more"));
  CHECK(refused([&] { make_tiled<slot, 2>(memory, {4, 8}, {7, 1}); },
                "stride 0 of the array is 7 elements; 8 or more keep its rows from overlapping"));
  CHECK(refused([&] { make_tiled<slot, 2>(memory, {4, 8}, {16, 2}); }, "the last stride of the array is 2"));
  CHECK(refused([&] { make_tiled<slot, 2>(memory, {1ll << 40, 1ll << 40}); }, "more than 2^63 - 1 bytes"));
  // where there is one of something, its stride leads nowhere: it neither hides an overlap nor makes one
  CHECK(refused([&] { make_tiled<planes, 3>(memory, {2, 1, 8}, {1, 1, 1}); },
                "stride 0 of the array is 1 elements; 8 or more"));
  CHECK(message_of([&] { make_tiled<planes, 3>(memory, {2, 1, 8}, {8, 1000, 1}); }) == "accepted");
  CHECK(message_of([&] { make_tiled<slot, 2>(memory, {1, 8}, {0, 1}); }) == "accepted");
  CHECK(refused([&] { make_tiled<slot, 2>(memory, {1, 8}, {1ll << 62, 1}); }, "a stride of the array is more than"));
}

}  // namespace tiles
