// How an algorithm carries out its work: chosen from a table per architecture and size, or given by the caller.
#pragma once

#include <penstock/algorithm/arguments.hpp>
#include <penstock/algorithm/policy_table.hpp>

namespace penstock {

namespace detail {

template <int Count>
constexpr vectorised choose(const stream_rule (&rules)[Count], int compute_capability, int step, long long bytes) {
  vectorised found;
  for (const stream_rule& r : rules)
    if (compute_capability >= r.compute_capability && step >= r.step && bytes >= r.bytes) found = r.use;
  return found;
}

}  // namespace detail

// How copy moves `bytes` bytes on a device of this compute capability (major * 10 + minor).
constexpr vectorised copy_policy(int compute_capability, long long bytes) {
  return detail::choose(copy_rules, compute_capability, 32, 2 * bytes);
}

// How transform streams, by the bytes of one step and of the whole problem (see policy_table.hpp).
constexpr vectorised transform_policy(int compute_capability, int step, long long bytes) {
  return detail::choose(transform_rules, compute_capability, step, bytes);
}

// A declared pipeline instead: blocks that each move `tiles` tiles of Tile bytes through a ring of Depth slots, in
// address order. Slower than the plain kernels in all that was measured (docs/benchmarks.md).
template <int Tile = 4096, int Depth = 4>
struct pipelined {
  static constexpr int tile = Tile;
  static constexpr int depth = Depth;
  static_assert(Tile >= 128 && Tile % 128 == 0, "a tile is a positive multiple of 128 bytes");
  static_assert(Depth >= 2, "a pipeline of depth 1 overlaps nothing");
  int tiles = 8;
};

namespace detail {

template <class T>
inline constexpr bool is_policy = std::is_same_v<T, vectorised>;
template <int Tile, int Depth>
inline constexpr bool is_policy<pipelined<Tile, Depth>> = true;

// At most one, last among the arguments.
template <class... T>
concept policies = sizeof...(T) <= 1 && (is_policy<T> && ...);

inline void check_policy(const vectorised& p) {
  if (p.threads < 32 || p.threads > 512 || p.threads % 32 != 0)
    refuse(std::errc::invalid_argument, "the policy asks for " + std::to_string(p.threads) +
                                            " threads a block; allowed are multiples of 32 from 32 to 512");
  if (p.unroll != 1 && p.unroll != 2 && p.unroll != 4)
    refuse(std::errc::invalid_argument,
           "the policy asks for an unroll of " + std::to_string(p.unroll) + "; allowed are 1, 2 and 4");
}

template <int Tile, int Depth>
void check_policy(const pipelined<Tile, Depth>& p) {
  if (p.tiles < 1)
    refuse(std::errc::invalid_argument,
           "the policy gives each block " + std::to_string(p.tiles) + " tiles; it must be 1 or more");
}

}  // namespace detail

}  // namespace penstock
