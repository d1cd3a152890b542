// Matrix products of a warpgroup on sm_90a, and how its warps share registers. PTX ISA, sections "wgmma" and "setmaxnreg".
#pragma once

#include <cstdint>

namespace penstock::arch::hopper {

// Is this code compiled for sm_90a, the one target that has these instructions?
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
inline constexpr bool has_products = true;
#else
inline constexpr bool has_products = false;
#endif

struct products {
  // An operand in shared memory whose rows are 128 bytes along K, swizzled, the first at a multiple of 1024: the half of
  // its description that tells where it is. The other half: 128-byte swizzle, 1024 bytes from 8 rows to the next 8.
  static __device__ __forceinline__ std::uint32_t operand(const void* tile) {
    const std::uint32_t address = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile));
    constexpr std::uint32_t unused = 1u << 16;  // the offset between columns, which swizzled rows of this length do not have
    return unused | (address & 0x3ffffu) >> 4;
  }
  static constexpr std::uint32_t next_k = 2;  // 16 bf16 further along K: 32 bytes, in units of 16

  // Orders what the warps did with their registers before the products that follow.
  static __device__ __forceinline__ void begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

  // sum += a * b, of 64 rows of a, 256 of b and 16 columns of both. In the background: until the products are waited for,
  // nothing else may touch sum.
  static __device__ __forceinline__ void multiply_add(float (&sum)[128], std::uint32_t a, std::uint32_t b) {
#define PENSTOCK_4(k) "+f"(sum[k]), "+f"(sum[k + 1]), "+f"(sum[k + 2]), "+f"(sum[k + 3])
#define PENSTOCK_32(k) \
  PENSTOCK_4(k), PENSTOCK_4(k + 4), PENSTOCK_4(k + 8), PENSTOCK_4(k + 12), PENSTOCK_4(k + 16), PENSTOCK_4(k + 20), \
      PENSTOCK_4(k + 24), PENSTOCK_4(k + 28)
    asm volatile(
        "{\n\t.reg .pred add;\n\t.reg .b64 a, b;\n\tsetp.eq.u32 add, 1, 1;\n\t"
        "mov.b64 a, {%128, %130};\n\tmov.b64 b, {%129, %130};\n\t"
        "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,"
        " %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31,"
        " %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47,"
        " %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63,"
        " %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79,"
        " %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95,"
        " %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111,"
        " %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}"
        ", a, b, add, 1, 1, 0, 0;\n\t}"
        : PENSTOCK_32(0), PENSTOCK_32(32), PENSTOCK_32(64), PENSTOCK_32(96)
        : "r"(a), "r"(b), "r"(0x40000040u));
#undef PENSTOCK_32
#undef PENSTOCK_4
  }

  // After the wait: keeps the compiler from reading the sums before it.
  template <int Count>
  static __device__ __forceinline__ void settle(float (&sum)[Count]) {
#pragma unroll
    for (int k = 0; k < Count; ++k) asm volatile("" : "+f"(sum[k])::"memory");
  }
};

// Registers of each thread of a warpgroup, all of whose warps call it; the kernel must have launch bounds.
template <int Count>
__device__ __forceinline__ void raise_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(Count));
}
template <int Count>
__device__ __forceinline__ void lower_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(Count));
}

// Four 8 x 8 matrices of 2-byte elements into shared memory: lane l names row l % 8 of matrix l / 8.
__device__ __forceinline__ void store_matrices(void* row, std::uint32_t m0, std::uint32_t m1, std::uint32_t m2,
                                               std::uint32_t m3) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(row))), "r"(m0), "r"(m1), "r"(m2), "r"(m3)
               : "memory");
}

}  // namespace penstock::arch::hopper
