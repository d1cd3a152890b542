// Threads of a block: rank, barriers, votes, the block's shared memory. The same on every GPU.
#pragma once

#include <cstdint>

namespace penstock::arch::cuda {

extern __shared__ __align__(16) unsigned char dynamic_shared[];

struct threads {
  static constexpr int warp_size = 32;

  static __device__ __forceinline__ int rank() {
    return static_cast<int>(threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z));
  }
  static __device__ __forceinline__ int count() { return static_cast<int>(blockDim.x * blockDim.y * blockDim.z); }
  static __device__ __forceinline__ int lane() { return rank() % warp_size; }
  // Uniform over the warp by construction of the block; saying so keeps the role branches free of divergence code.
  static __device__ __forceinline__ int warp() { return __shfl_sync(0xffffffffu, rank() / warp_size, 0); }
  static __device__ __forceinline__ bool elected() { return lane() == 0; }
  static __device__ __forceinline__ void warp_barrier() { __syncwarp(); }
  static __device__ __forceinline__ void block_barrier() { __syncthreads(); }

  // Dynamic shared memory that the launch gave, in bytes.
  static __device__ __forceinline__ unsigned shared_bytes() {
    unsigned bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
  }

  // Barrier Id of the 16 a block has, among Count threads (a multiple of 32); 0 is that of the whole block. The aligned
  // instructions want converged warps, which only the intrinsics and a warp barrier see to.
  template <int Id, int Count>
  static __device__ __forceinline__ void barrier() {
    if constexpr (Id == 0) {
      __syncthreads();
    } else {
      __syncwarp();
      asm volatile("bar.sync %0, %1;" ::"n"(Id), "n"(Count) : "memory");
    }
  }
  // The same, and whether any of the threads said yes.
  template <int Id, int Count>
  static __device__ __forceinline__ bool any(bool mine) {
    if constexpr (Id == 0) {
      return __syncthreads_or(mine) != 0;
    } else {
      __syncwarp();
      int theirs;
      asm volatile(
          "{\n\t.reg .pred p, q;\n\tsetp.ne.b32 p, %1, 0;\n\tbar.red.or.pred q, %2, %3, p;\n\tselp.b32 %0, 1, 0, q;\n\t}"
          : "=r"(theirs) : "r"(static_cast<int>(mine)), "n"(Id), "n"(Count) : "memory");
      return theirs != 0;
    }
  }

  // Rounded up by hand: alignment attributes on dynamic shared memory are not honoured under -G and -rdc.
  static __device__ __forceinline__ unsigned char* storage(int alignment) {
    const std::uint32_t address = static_cast<std::uint32_t>(__cvta_generic_to_shared(dynamic_shared));
    const std::uint32_t mask = static_cast<std::uint32_t>(alignment) - 1;
    return dynamic_shared + (((address + mask) & ~mask) - address);
  }
};

struct votes {
  // Lane 0's value, which the compiler then knows to be the same in all lanes.
  static __device__ __forceinline__ int warp_first(int value) { return __shfl_sync(0xffffffffu, value, 0); }
  static __device__ __forceinline__ bool warp_all(bool mine) { return __all_sync(0xffffffffu, mine) != 0; }
};

// A word that agents exchange outside the rings, ordered by the signals around it.
struct words {
  using word = long long;
  static __device__ __forceinline__ void init_word(word* w, long long value) { *w = value; }
#if defined(PENSTOCK_FOR_RACECHECK)  // which takes any plain access for part of a race, ordered or not
  static __device__ __forceinline__ long long load(const word* w) {
    return static_cast<long long>(atomicAdd(reinterpret_cast<unsigned long long*>(const_cast<word*>(w)), 0ull));
  }
  static __device__ __forceinline__ void store(word* w, long long value) {
    atomicExch(reinterpret_cast<unsigned long long*>(w), static_cast<unsigned long long>(value));
  }
#else
  static __device__ __forceinline__ long long load(const word* w) {
    long long value;
    const std::uint32_t address = static_cast<std::uint32_t>(__cvta_generic_to_shared(w));
    asm volatile("ld.relaxed.cta.shared.b64 %0, [%1];" : "=l"(value) : "r"(address) : "memory");
    return value;
  }
  static __device__ __forceinline__ void store(word* w, long long value) {
    const std::uint32_t address = static_cast<std::uint32_t>(__cvta_generic_to_shared(w));
    asm volatile("st.relaxed.cta.shared.b64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
  }
#endif
  // One lane's reading for the whole (converged) warp: what it decides, all its lanes decide.
  static __device__ __forceinline__ long long load_uniform(const word* w) {
    return __shfl_sync(0xffffffffu, load(w), 0);
  }
};

}  // namespace penstock::arch::cuda
