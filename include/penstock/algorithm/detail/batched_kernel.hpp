// The kernel of copy_batched: a warp takes up to 32 buffers, lays their 16-byte chunks end to end and moves them 32 at
// a time, so that its lanes are busy whatever the sizes; or, where buffers are few, several warps share one.
#pragma once

#include <penstock/algorithm/detail/row_kernels.hpp>

namespace penstock::detail {

inline constexpr int batch_threads = 256;
inline constexpr int batch_each = 4;  // chunks of a lane in flight

template <class Size>
struct batch_job {
  unsigned char* const* to;
  const unsigned char* const* from;
  const Size* size;
  long long count;
  int buffers;  // of a warp: a power of two up to 32
  int parts;    // of a buffer, each for a warp; more than 1 only where buffers is 1
};

template <class T>
__device__ __forceinline__ T* shuffled(T* p, int lane) {
  return reinterpret_cast<T*>(__shfl_sync(0xffffffffu, reinterpret_cast<unsigned long long>(p), lane));
}

template <class Size>
__global__ void __launch_bounds__(batch_threads) batch_kernel(const batch_job<Size> job) {
  begin_grid();
  const int lane = static_cast<int>(threadIdx.x % 32);
  const long long warp = static_cast<long long>(blockIdx.x) * (batch_threads / 32) + threadIdx.x / 32;
  const long long first = warp / job.parts * job.buffers;
  if (first >= job.count) return;
  const long long mine = first + lane;
  const bool has = lane < job.buffers && mine < job.count;
  unsigned char* to = has ? job.to[mine] : nullptr;
  const unsigned char* from = has ? job.from[mine] : nullptr;
  const long long bytes = has ? static_cast<long long>(job.size[mine]) : 0;
  const int offset = static_cast<int>(reinterpret_cast<std::uintptr_t>(to) % 16);
  const long long chunks = bytes > 0 ? (offset + bytes + 15) / 16 : 0;
  long long end = chunks;  // of this lane's buffer, among the chunks of the warp
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const long long before = __shfl_up_sync(0xffffffffu, end, d);
    if (lane >= d) end += before;
  }
  const long long all = __shfl_sync(0xffffffffu, end, 31);
  const long long part = (all + job.parts - 1) / job.parts;
  const long long begin = warp % job.parts * part;
  const long long stop = begin + part < all ? begin + part : all;
  const long long start = end - chunks;
  for (long long base = begin; base < stop; base += 32 * batch_each) {
    unsigned char* target[batch_each];
    int wanted[batch_each];  // bytes of the chunk: the first, and 256 times one past the last
    uint4 v[batch_each];
#pragma unroll
    for (int k = 0; k < batch_each; ++k) {
      wanted[k] = 0;
      if (base + k * 32 >= stop) continue;
      const long long c = base + k * 32 + lane;
      // the first buffer that ends behind c, by bisection over the lanes
      int owner = 0;
      for (int step = job.buffers / 2; step > 0; step /= 2)
        if (__shfl_sync(0xffffffffu, end, owner + step - 1) <= c) owner += step;
      const long long chunk = c - __shfl_sync(0xffffffffu, start, owner);
      const long long its_bytes = __shfl_sync(0xffffffffu, bytes, owner);
      unsigned char* its_to = shuffled(to, owner);
      const unsigned char* its_from = shuffled(from, owner);
      if (c >= stop) continue;
      const int its_offset = static_cast<int>(reinterpret_cast<std::uintptr_t>(its_to) % 16);
      const long long at = 16 * chunk - its_offset;
      const int begins = chunk == 0 ? its_offset : 0;
      const int ends = its_bytes - at < 16 ? static_cast<int>(its_bytes - at) : 16;
      target[k] = its_to + at;
      wanted[k] = begins + 256 * ends;
      v[k] = load_part(its_from + at, begins, ends, its_from, its_from + its_bytes);
    }
#pragma unroll
    for (int k = 0; k < batch_each; ++k) {
      if (wanted[k] == 16 * 256) *reinterpret_cast<uint4*>(target[k]) = v[k];
      else if (wanted[k] != 0) store_part(target[k], v[k], wanted[k] % 256, wanted[k] / 256);
    }
  }
}

// Enough warps to fill the device, and no more buffers a warp than that leaves.
template <class Size>
void start_batch(cudaStream_t stream, unsigned char* const* to, const unsigned char* const* from, const Size* size,
                 long long count) {
  const long long warps = 64ll * processors(current_device());
  batch_job<Size> job{to, from, size, count, 1, 1};
  while (job.buffers < 32 && count / (2 * job.buffers) >= 2 * warps) job.buffers *= 2;
  while (job.parts < 64 && count * job.parts * 2 <= warps) job.parts *= 2;
  const long long all = ceil_div(count, job.buffers) * job.parts;
  start(stream, grid_shape{grid_for(all, batch_threads / 32, "the batch"), batch_threads},
        "cannot launch the batch of copies", batch_kernel<Size>, job);
}

}  // namespace penstock::detail
