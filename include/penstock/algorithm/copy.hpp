// copy: contiguous memory on one device, any alignment, any size.
//
// Where a copy does nothing but copy, plain vector loads and stores are the fastest way there is: on an H200 one
// 16-byte access per thread passes cudaMemcpyAsync up to 64 MiB and is level with it above, and a bulk-copy pipeline
// stays 3 to 4 % short of both from 256 MiB on (docs/benchmarks.md). So that is what copy does;
// `copy(…, pipelined<>{})` runs the pipeline.
#pragma once

#include <penstock/algorithm/detail/copy_kernel.hpp>

namespace penstock {

// Copies `count` elements from src to dst on `stream`, a stream of the current device, with the shape of kernel that
// the caller asks for. Asynchronous; usable in graph capture; needs no temporary memory; touches no byte outside the
// two ranges. Both must be accessible from the device and must not overlap. Throws penstock::error before anything is
// launched: where count is negative or too large, a range is null, misaligned for its elements or overlaps the other,
// or the policy is none.
template <class Target, class Source>
void copy(cudaStream_t stream, Target dst, Source src, long long count, vectorised policy) {
  const detail::byte_range r = detail::admit_copy(dst, src, count);
  detail::check_policy(policy);
  if (r.bytes > 0) detail::copy_vectorised(stream, detail::split_copy(r), policy);
}

// The same in the way that is fastest for this device and size; see policy_table.hpp.
template <class Target, class Source>
void copy(cudaStream_t stream, Target dst, Source src, long long count) {
  const detail::byte_range r = detail::admit_copy(dst, src, count);
  if (r.bytes == 0) return;
  const int device = detail::current_device();
  detail::copy_vectorised(stream, detail::split_copy(r), copy_policy(detail::compute_capability(device), r.bytes));
}

// The same through a pipeline of bulk copies (cp.async on sm_80, plain copies before). Ranges whose addresses differ
// modulo 16 have no bulk copy and take the plain way.
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
