// The copy as a pipeline of two async stages: no body, and so no thread that waits for data.
//
//   read ──▶ tile[4] ──▶ write
//   (async)              (async)
#pragma once

#include <penstock/run/run.hpp>

#include <cstddef>
#include <cstdint>

namespace penstock::examples {

constexpr long long tile_bytes = 8192;
// Short-lived blocks, in order of address: what the whole GPU touches at a time stays close together.
constexpr long long tiles_a_block = 8;

// clang-format off
using copy_line = pipeline<
    buffer<"tile", std::byte[tile_bytes], depth<4>>,
    stage<"read", async, writes<"tile">>,
    stage<"write", async, reads<"tile">>>;
// clang-format on

struct job {
  const std::byte* source;
  std::byte* target;
  long long bytes;

  // Tiles start where the target's address is a multiple of 16, so that only the first and the last are
  // ragged.
  PENSTOCK_HD long long lead() const {
    return static_cast<long long>(reinterpret_cast<std::uintptr_t>(target) % 16);
  }
  PENSTOCK_HD long long tiles() const {
    return bytes > 0 ? (lead() + bytes + tile_bytes - 1) / tile_bytes : 0;
  }
  PENSTOCK_HD long long blocks() const { return (tiles() + tiles_a_block - 1) / tiles_a_block; }
};

template <class... Options>
PENSTOCK_HD void copy_block(const job& j, long long b) {
  const long long first = b * tiles_a_block, left = j.tiles() - first;
  const auto begin = [&](long long i) {
    const long long at = (first + i) * tile_bytes - j.lead();
    return at > 0 ? at : 0;
  };
  const auto size = [&](long long i) { return (begin(i + 1) < j.bytes ? begin(i + 1) : j.bytes) - begin(i); };
  // clang-format off
  run<copy_line, Options...>(left < tiles_a_block ? left : tiles_a_block,
      on<"read">([&](long long i) { return from(j.source + begin(i), size(i)); }),
      on<"write">([&](long long i) { return to(j.target + begin(i), size(i)); }));
  // clang-format on
}

}  // namespace penstock::examples
