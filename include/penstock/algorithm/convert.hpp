// convert: elements of one type as another, scaled where asked for.
#pragma once

#include <penstock/algorithm/transform.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace penstock {

namespace detail {

// Through float where a 16-bit type is on either side: CUDA gives those no direct conversion to all others.
template <class To, class From>
__device__ __forceinline__ To converted(From v) {
  constexpr bool small = sizeof(To) == 2 && !std::is_arithmetic_v<To>;
  constexpr bool from_small = sizeof(From) == 2 && !std::is_arithmetic_v<From>;
  if constexpr (std::is_same_v<To, From>) return v;
  else if constexpr (std::is_same_v<To, __half> && std::is_same_v<From, double>) return __double2half(v);
  else if constexpr (std::is_same_v<To, __nv_bfloat16> && std::is_same_v<From, double>) return __double2bfloat16(v);
  else if constexpr (std::is_same_v<From, __half>) return converted<To>(__half2float(v));
  else if constexpr (std::is_same_v<From, __nv_bfloat16>) return converted<To>(__bfloat162float(v));
  else if constexpr (std::is_same_v<To, __half>) return __float2half_rn(static_cast<float>(v));
  else if constexpr (std::is_same_v<To, __nv_bfloat16>) return __float2bfloat16_rn(static_cast<float>(v));
  else {
    static_assert(!small && !from_small, "convert knows arithmetic types, __half and __nv_bfloat16");
    return static_cast<To>(v);
  }
}

template <class To>
struct convert_to {
  template <class From>
  __device__ __forceinline__ To operator()(From v) const { return converted<To>(v); }
};

template <class To>
struct scale_to {
  float scale;
  template <class From>
  __device__ __forceinline__ To operator()(From v) const { return converted<To>(scale * converted<float>(v)); }
};

}  // namespace detail

// dst[k] = src[k] for k below count, rounded to nearest even where floating-point types narrow, as a C++ conversion
// elsewhere. Arithmetic types, __half and __nv_bfloat16; between the last two and anything but double it goes through
// float. A policy as for transform, and so is all else.
template <class Target, class Source, class... Policy>
  requires(detail::policies<Policy...>)
void convert(cudaStream_t stream, Target dst, Source src, long long count, Policy... policy) {
  using To = detail::written_element_of<Target>;
  transform(stream, dst, inputs(src), count, detail::convert_to<To>{}, policy...);
}

// dst[k] = scale * src[k], multiplied in float: doubles and integers of more than 24 bits are rounded to float first.
template <class Target, class Source, class... Policy>
  requires(detail::policies<Policy...>)
void convert(cudaStream_t stream, Target dst, Source src, long long count, float scale, Policy... policy) {
  using To = detail::written_element_of<Target>;
  transform(stream, dst, inputs(src), count, detail::scale_to<To>{scale}, policy...);
}

}  // namespace penstock
