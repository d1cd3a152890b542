// Matrix products of a warp on sm_80 and what feeds them. PTX ISA, sections "mma" and "ldmatrix".
#pragma once

#include <cstdint>

namespace penstock::arch::ampere {

// Four 8 x 8 matrices of 2-byte elements from shared memory: lane l names row l % 8 of matrix l / 8, and gets elements
// 2 (l % 4) and the next one of row l / 4 of each.
__device__ __forceinline__ void load_matrices(std::uint32_t (&m)[4], const void* row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(row)))
               : "memory");
}

// sum += a * b of bf16: 16 rows of a, 8 columns of b, 16 deep.
__device__ __forceinline__ void multiply_add(float (&sum)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                             std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

}  // namespace penstock::arch::ampere
