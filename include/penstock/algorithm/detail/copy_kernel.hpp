// The kernels of copy: 16-byte words in the middle, single bytes at both ends.
#pragma once

#include <penstock/algorithm/detail/byte_split.hpp>
#include <penstock/algorithm/detail/start.hpp>
#include <penstock/arch/cuda/shifted.hpp>
#include <penstock/run/launch.hpp>
#include <penstock/run/run.hpp>

namespace penstock::detail {

// By the whole block; head and tail are a few dozen bytes.
__device__ __forceinline__ void copy_edges(const split_range& s) {
  const unsigned n = blockDim.x;
  for (unsigned k = threadIdx.x; k < s.head; k += n) s.to[k] = s.from[k];
  const long long rest = s.head + 16 * s.words;
  for (unsigned k = threadIdx.x; k < s.tail; k += n) s.to[rest + k] = s.from[rest + k];
}

template <int Unroll, bool Shift, bool Streaming>
__global__ void __launch_bounds__(512) copy_kernel(const split_range s) {
  uint4* to = reinterpret_cast<uint4*>(s.to + s.head);
  const uint4* from = reinterpret_cast<const uint4*>(s.from + (s.head - s.skip));
  const long long first = static_cast<long long>(blockIdx.x) * (Unroll * blockDim.x) + threadIdx.x;
  uint4 v[Unroll];
  begin_grid();
#pragma unroll
  for (int k = 0; k < Unroll; ++k) {
    const long long i = first + k * blockDim.x;
    if (i >= s.words) continue;
    if constexpr (Shift) v[k] = arch::cuda::load_shifted<16>(from + i, s.skip);
    else if constexpr (Streaming) v[k] = __ldcs(from + i);
    else v[k] = from[i];
  }
#pragma unroll
  for (int k = 0; k < Unroll; ++k) {
    const long long i = first + k * blockDim.x;
    if (i >= s.words) continue;
    if constexpr (Streaming) __stcs(to + i, v[k]);
    else to[i] = v[k];
  }
  if (blockIdx.x == 0) copy_edges(s);
}

template <int Unroll>
void copy_unrolled(cudaStream_t stream, const split_range& s, const vectorised& p) {
  grid_shape shape;
  shape.blocks = grid_for(s.words, static_cast<long long>(Unroll) * p.threads, "the copy");
  shape.threads = p.threads;
  const auto kernel = p.streaming ? copy_kernel<Unroll, false, true> : copy_kernel<Unroll, false, false>;
  start(stream, shape, "cannot launch the copy", kernel, s);
}

inline void copy_vectorised(cudaStream_t stream, const split_range& s, const vectorised& p) {
  if (s.skip != 0) {
    grid_shape shape;
    shape.blocks = grid_for(s.words, p.threads, "the copy");
    shape.threads = p.threads;
    start(stream, shape, "cannot launch the copy", copy_kernel<1, true, false>, s);
  } else if (p.unroll == 1) {
    copy_unrolled<1>(stream, s, p);
  } else if (p.unroll == 2) {
    copy_unrolled<2>(stream, s, p);
  } else {
    copy_unrolled<4>(stream, s, p);
  }
}

template <int Tile, int Depth>
using copy_line = pipeline<buffer<"tile", uint4[Tile / 16], depth<Depth>>, stage<"read", async, writes<"tile">>,
                           stage<"write", async, reads<"tile">>>;

template <int Tile, int Depth>
__global__ void copy_tiles_kernel(const split_range s, int tiles) {
  const long long bytes = 16 * s.words;
  const long long first = static_cast<long long>(blockIdx.x) * tiles * Tile;
  const unsigned char* from_bytes = s.from + s.head + first;
  unsigned char* to_bytes = s.to + s.head + first;
  long long mine =
      bytes - first < static_cast<long long>(tiles) * Tile ? bytes - first : static_cast<long long>(tiles) * Tile;
  const auto part = [&](long long i) {
    return mine - i * Tile < Tile ? mine - i * Tile : static_cast<long long>(Tile);
  };
  run<copy_line<Tile, Depth>>((mine + Tile - 1) / Tile,
                              on<"read">([&](long long i) { return from(from_bytes + i * Tile, part(i)); }),
                              on<"write">([&](long long i) { return to(to_bytes + i * Tile, part(i)); }));
  if (blockIdx.x == 0) copy_edges(s);
}

template <int Tile, int Depth>
void copy_pipelined(cudaStream_t stream, const split_range& s, int tiles) {
  const unsigned blocks = grid_for(16 * s.words, static_cast<long long>(tiles) * Tile, "the copy");
  penstock::launch<copy_line<Tile, Depth>>(stream, dim3(blocks), copy_tiles_kernel<Tile, Depth>, s, tiles);
}

}  // namespace penstock::detail
