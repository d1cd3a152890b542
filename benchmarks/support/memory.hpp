// Device memory for benchmarks: one arena of coded words, buffer sets that rotate through it, and exact comparison.
#pragma once

#include "support/harness.hpp"

#include <cstdint>

namespace bench {

static __global__ void code_kernel(std::uint32_t* p, long long words, std::uint32_t seed) {
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < words;
       k += static_cast<long long>(gridDim.x) * blockDim.x) {
    std::uint32_t x =
        static_cast<std::uint32_t>(k) * 2654435761u + static_cast<std::uint32_t>(k >> 32) * 0x9e3779b9u + seed;
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    p[k] = x & 0x3f7f3f7fu;  // no NaN or infinity as a float, double, half or bfloat16
  }
}

template <class Word>
__global__ void compare_kernel(const Word* a, const Word* b, long long words, unsigned long long* wrong) {
  unsigned long long mine = 0;
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < words;
       k += static_cast<long long>(gridDim.x) * blockDim.x)
    mine += a[k] != b[k] ? 1 : 0;
  if (mine != 0) atomicAdd(wrong, mine);
}

class arena {
 public:
  // As much as is wanted, or what the device has left but for a reserve for the libraries measured.
  explicit arena(long long wanted) {
    std::size_t free = 0, total = 0;
    require(cudaMemGetInfo(&free, &total), "cannot query memory");
    const long long most = static_cast<long long>(free) - (3ll << 30);
    bytes_ = std::min(wanted, most) / 512 * 512;
    require(cudaMalloc(&data_, static_cast<std::size_t>(bytes_)), "cannot allocate the arena");
    require(cudaMalloc(&wrong_, sizeof(unsigned long long)), "cannot allocate a counter");
    code();
  }
  // What one case leaves behind may be no number to the next.
  void code() const {
    code_kernel<<<2048, 256>>>(reinterpret_cast<std::uint32_t*>(data_), bytes_ / 4, 1);
    require(cudaDeviceSynchronize(), "cannot fill the arena");
  }
  arena(const arena&) = delete;
  ~arena() {
    cudaFree(data_);
    cudaFree(wrong_);
  }
  unsigned char* data() const { return data_; }
  long long bytes() const { return bytes_; }

  // How many sets of `bytes` fit, up to what it takes to have moved well past the L2 cache before one comes round
// again.
  int sets(long long bytes) const {
    const long long past_cache = 4ll * query_device().l2_bytes;
    return static_cast<int>(
        std::clamp<long long>(std::min((past_cache + bytes - 1) / bytes + 1, bytes_ / bytes), 1, 4096));
  }
  bool holds(long long bytes) const { return bytes <= bytes_; }

  bool equal(const void* a, const void* b, long long bytes) const {
    unsigned long long host = 0;
    require(cudaMemset(wrong_, 0, sizeof host), "cannot clear");
    using wide = unsigned long long;
    if ((reinterpret_cast<std::uintptr_t>(a) | reinterpret_cast<std::uintptr_t>(b) |
         static_cast<std::uintptr_t>(bytes)) %
            8 ==
        0)
      compare_kernel<<<2048, 256>>>(static_cast<const wide*>(a), static_cast<const wide*>(b), bytes / 8, wrong_);
    else
      compare_kernel<<<2048, 256>>>(static_cast<const unsigned char*>(a), static_cast<const unsigned char*>(b), bytes,
                                    wrong_);
    require(cudaMemcpy(&host, wrong_, sizeof host, cudaMemcpyDeviceToHost), "cannot compare");
    return host == 0;
  }

 private:
  unsigned char* data_ = nullptr;
  unsigned long long* wrong_ = nullptr;
  long long bytes_ = 0;
};

constexpr long long align_up(long long n, long long to = 512) { return (n + to - 1) / to * to; }

}  // namespace bench
