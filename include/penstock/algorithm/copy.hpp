// copy: contiguous memory on one device, any alignment, any size.
//
// Where a copy does nothing but copy, plain vector loads and stores are the fastest way there is: on an H200 one 16-byte
// access per thread reaches cudaMemcpyAsync from 64 MiB on and passes it below, and a bulk-copy pipeline stays 2 to 3 %
// short of both (docs/benchmarks.md). So that is what copy does; `copy(…, pipelined<>{})` runs the pipeline instead.
#pragma once

#include <penstock/algorithm/detail/copy_kernel.hpp>

namespace penstock {

// Copies `count` elements from src to dst on `stream`, a stream of the current device. Asynchronous; usable in graph
// capture; needs no temporary memory; touches no byte outside the two ranges. Both must be accessible from the device
// and must not overlap. Throws penstock::error before anything is launched.
template <class Target, class Source>
void copy(cudaStream_t stream, Target dst, Source src, long long count, vectorised policy) {
  const detail::byte_range r = detail::admit_copy(dst, src, count);
  detail::check_policy(policy);
  if (r.bytes > 0) detail::copy_vectorised(stream, detail::split_copy(r), policy);
}

template <class Target, class Source>
void copy(cudaStream_t stream, Target dst, Source src, long long count) {
  const detail::byte_range r = detail::admit_copy(dst, src, count);
  if (r.bytes == 0) return;
  const int device = detail::current_device();
  detail::copy_vectorised(stream, detail::split_copy(r), copy_policy(detail::compute_capability(device), r.bytes));
}

// Through a pipeline of bulk copies (cp.async on sm_80, plain copies before). Ranges whose addresses differ modulo 16
// have no bulk copy and take the plain way.
template <class Target, class Source, int Tile, int Depth>
void copy(cudaStream_t stream, Target dst, Source src, long long count, pipelined<Tile, Depth> policy) {
  const detail::byte_range r = detail::admit_copy(dst, src, count);
  detail::check_policy(policy);
  if (r.bytes == 0) return;
  const detail::split_range s = detail::split_copy(r);
  if (s.skip != 0) detail::copy_vectorised(stream, s, vectorised{});
  else detail::copy_pipelined<Tile, Depth>(stream, s, policy.tiles);
}

}  // namespace penstock
