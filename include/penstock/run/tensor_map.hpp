// make_tiled: a strided array to be copied box by box, with the hardware's tensor map where there can be one.
// CUDA driver API, section "Tensor Map Object Management".
#pragma once

#include <penstock/arch/moves.hpp>
#include <penstock/arch/swizzled.hpp>
#include <penstock/run/error.hpp>

#if defined(__CUDACC__)
#include <cuda.h>
#include <cuda_runtime_api.h>
#endif

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace penstock {

namespace detail {

inline long long checked_product(long long a, long long b, const char* what) {
  long long product = 0;
  if (__builtin_mul_overflow(a, b, &product))
    refuse(std::errc::value_too_large, std::string(what) + " is more than 2^63 - 1 bytes");
  return product;
}

template <class Slot, int Rank>
void check_tiled(const tiled<Slot, Rank>& t) {
  using element = typename tiled<Slot, Rank>::element;
  bool empty = false;
  for (int a = 0; a < Rank; ++a) {
    if (t.extent[a] < 0)
      refuse(std::errc::invalid_argument, "extent " + std::to_string(a) + " of the array is " +
                                              std::to_string(t.extent[a]) + "; extents are 0 or more");
    empty = empty || t.extent[a] == 0;
  }
  if (t.base == nullptr && !empty) refuse(std::errc::bad_address, "the array has elements but its address is null");
  if (reinterpret_cast<std::uintptr_t>(t.base) % alignof(element) != 0)
    refuse(std::errc::invalid_argument, "the array's address is not a multiple of its elements' alignment, " +
                                            std::to_string(alignof(element)));
  if (t.stride[Rank - 1] != 1)
    refuse(std::errc::invalid_argument, "the last stride of the array is " + std::to_string(t.stride[Rank - 1]) +
                                            "; neighbours along the last axis must be adjacent (stride 1)");
  constexpr long long size = sizeof(element);
  long long needed = t.extent[Rank - 1];
  for (int a = Rank - 2; a >= 0; --a) {
    (void)checked_product(t.stride[a], size, "a stride of the array");
    if (t.extent[a] == 1) continue;  // nothing lies a stride away
    if (t.extent[a] > 1 && t.stride[a] < needed)
      refuse(std::errc::invalid_argument,
             "stride " + std::to_string(a) + " of the array is " + std::to_string(t.stride[a]) + " elements; " +
                 std::to_string(needed) + " or more keep its rows from overlapping");
    needed = checked_product(t.stride[a], t.extent[a], "the array");
  }
  (void)checked_product(needed, size, "the array");
}

}  // namespace detail

// Why this array can have no tensor map, as a sentence; empty when it can. Copies of such an array are made by threads.
template <class Slot, int Rank>
std::string tensor_map_obstacle(const tiled<Slot, Rank>& t) {
  using element = typename tiled<Slot, Rank>::element;
  constexpr long long size = sizeof(element);
  const auto say = [](const char* what, long long value, const char* allowed) {
    return std::string(what) + " is " + std::to_string(value) + "; a tensor map needs " + allowed;
  };
  if constexpr (size != 1 && size != 2 && size != 4 && size != 8) {
    return say("the element size", size, "1, 2, 4 or 8 bytes");
  } else if constexpr (tiled<Slot, Rank>::box(Rank - 1) * size % 16 != 0) {
    return say("the last extent of the slot, in bytes,", tiled<Slot, Rank>::box(Rank - 1) * size, "a multiple of 16");
  } else {
    if (reinterpret_cast<std::uintptr_t>(t.base) % 16 != 0)
      return say("the address modulo 16", static_cast<long long>(reinterpret_cast<std::uintptr_t>(t.base) % 16), "0");
    for (int a = 0; a < Rank; ++a) {
      if (const int box = tiled<Slot, Rank>::box(a); box > 256) return say("an extent of the slot", box, "at most 256");
      if (t.extent[a] < 1 || t.extent[a] > 0x7fffffffll)
        return say("an extent of the array", t.extent[a], "1 to 2^31 - 1");
      if (a == Rank - 1) continue;
      const long long bytes = t.stride[a] * size;
      if (bytes % 16 != 0) return say("a stride of the array, in bytes,", bytes, "a multiple of 16");
      if (bytes >= 1ll << 40) return say("a stride of the array, in bytes,", bytes, "less than 2^40");
    }
    return {};
  }
}

#if defined(__CUDACC__)
namespace detail {

using encode_function = CUresult (*)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                                     const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                                     CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

// Through the runtime, so that no program needs to link the driver library.
inline encode_function tensor_map_encoder() {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found{};
#if CUDART_VERSION >= 12050
  const cudaError_t code =
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
#else
  const cudaError_t code = cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
#endif
  if (code != cudaSuccess) (void)cudaGetLastError();
  if (code != cudaSuccess || found != cudaDriverEntryPointSuccess) return nullptr;
  return reinterpret_cast<encode_function>(entry);
}

template <class Slot, int Rank>
void encode_map(tiled<Slot, Rank>& t, CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE) {
  static const encode_function encode = tensor_map_encoder();
  constexpr std::size_t size = sizeof(typename tiled<Slot, Rank>::element);
  constexpr CUtensorMapDataType type = size == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                                       : size == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                                       : size == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                                                   : CU_TENSOR_MAP_DATA_TYPE_INT64;
  cuuint64_t extents[Rank], strides[Rank];
  cuuint32_t box[Rank], steps[Rank];
  for (int k = 0; k < Rank; ++k) {
    const int a = Rank - 1 - k;  // the map counts axes from the fastest
    extents[k] = static_cast<cuuint64_t>(t.extent[a]);
    if (k > 0) strides[k - 1] = static_cast<cuuint64_t>(t.stride[a]) * size;
    box[k] = static_cast<cuuint32_t>(tiled<Slot, Rank>::box(a));
    steps[k] = 1;
  }
  static_assert(sizeof(CUtensorMap) == sizeof(t.map));
  t.mapped = encode != nullptr &&
             encode(reinterpret_cast<CUtensorMap*>(t.map), type, Rank, t.base, extents, strides, box, steps,
                    CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace detail
#endif

// Extents and strides in elements, slowest axis first. Kernels take the result by value, as `const __grid_constant__`.
// Throws penstock::error when the description makes no sense. The memory itself must hold what the extents say.
template <class Slot, int Rank>
tiled<Slot, Rank> make_tiled(std::remove_all_extents_t<Slot>* base, const long long (&extent)[Rank],
                             const long long (&stride)[Rank]) {
  tiled<Slot, Rank> t;
  t.base = base;
  for (int a = 0; a < Rank; ++a) {
    t.extent[a] = extent[a];
    t.stride[a] = stride[a];
  }
  detail::check_tiled(t);
#if defined(__CUDACC__)
  if (tensor_map_obstacle(t).empty()) detail::encode_map(t);
#endif
  return t;
}

// A dense array.
template <class Slot, int Rank>
tiled<Slot, Rank> make_tiled(std::remove_all_extents_t<Slot>* base, const long long (&extent)[Rank]) {
  long long stride[Rank];
  stride[Rank - 1] = 1;
  for (int a = Rank - 1; a > 0; --a) {
    if (extent[a] < 0)
      refuse(std::errc::invalid_argument, "extent " + std::to_string(a) + " of the array is " +
                                              std::to_string(extent[a]) + "; extents are 0 or more");
    stride[a - 1] = detail::checked_product(stride[a], extent[a], "the array");
  }
  return make_tiled<Slot, Rank>(base, extent, stride);
}

#if defined(__CUDACC__)
// The same for boxes that lie swizzled in shared memory. Throws also where there can be no tensor map: no thread could
// take the copy engine's place.
template <class Slot, int Rank>
swizzled<Slot, Rank> make_swizzled(std::remove_all_extents_t<Slot>* base, const long long (&extent)[Rank],
                                   const long long (&stride)[Rank]) {
  constexpr int row = swizzled<Slot, Rank>::row_bytes;
  swizzled<Slot, Rank> s;
  s.array.base = base;
  for (int a = 0; a < Rank; ++a) {
    s.array.extent[a] = extent[a];
    s.array.stride[a] = stride[a];
  }
  detail::check_tiled(s.array);
  const std::string obstacle = tensor_map_obstacle(s.array);
  if (!obstacle.empty()) refuse(std::errc::invalid_argument, obstacle);
  detail::encode_map(s.array, row == 128  ? CU_TENSOR_MAP_SWIZZLE_128B
                              : row == 64 ? CU_TENSOR_MAP_SWIZZLE_64B
                                          : CU_TENSOR_MAP_SWIZZLE_32B);
  if (!s.array.mapped)
    refuse(std::errc::not_supported, "the CUDA driver makes no tensor map of this array; it needs CUDA 12.0 or later");
  return s;
}
#endif

}  // namespace penstock
