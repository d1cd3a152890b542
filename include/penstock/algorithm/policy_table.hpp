// Which kernel shape is fastest where: measured. `benchmarks/run.sh --tune` prints these tables anew.
#pragma once

namespace penstock {

// One load and one store per thread, `unroll` times: plain vector accesses of 16 bytes.
struct vectorised {
  int threads = 256;  // of a block: 32 to 512, a multiple of 32
  int unroll = 1;     // 1, 2 or 4 independent accesses in flight per thread and array
  bool streaming = false;  // tell the caches that no byte is used again soon
  constexpr bool operator==(const vectorised&) const = default;
};

// Applies from this compute capability, step and size of the problem on. A step is what one vector of each array makes:
// 16 bytes of the widest array, as many elements of the others; its size and that of the problem count bytes read and
// written. Of the rules that apply, the last one counts.
struct stream_rule {
  int compute_capability;
  int step;
  long long bytes;
  vectorised use;
};

// Contiguous copies. H200: one access a thread leads at every size measured, 16 MiB to 4 GiB.
inline constexpr stream_rule copy_rules[] = {
    {0, 0, 0, {256, 4}},
    {90, 0, 0, {256, 1}},
};

// Element-wise transforms.
inline constexpr stream_rule transform_rules[] = {
    {0, 0, 0, {256, 4}},
    {0, 48, 0, {256, 2}},
    {90, 0, 0, {256, 1}},
};

}  // namespace penstock
