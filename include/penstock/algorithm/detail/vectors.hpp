// Loading and storing vectors of elements as single words.
#pragma once

#include <penstock/algorithm/detail/vector_split.hpp>
#include <penstock/arch/cuda/shifted.hpp>

#include <type_traits>

namespace penstock::detail {

// Width neighbours as they lie in memory; one element as it is where it fits no word.
template <class T, int Width>
struct vector_of {
  static constexpr int bytes = Width * static_cast<int>(sizeof(T));
  static constexpr bool is_word = bytes <= 16 && is_power_of_two(bytes);
  static_assert(is_word || Width == 1);
  static constexpr auto stored() {
    if constexpr (is_word) return std::type_identity<arch::cuda::word_t<bytes>>{};
    else return std::type_identity<T>{};
  }
  // kept packed until it is used: sixteen bytes in one word take four registers, unpacked they take sixteen
  typename decltype(stored())::type packed;
};

template <class T, int Width>
struct elements_of {
  T e[Width];
  __device__ __forceinline__ explicit elements_of(const vector_of<T, Width>& v) {
    __builtin_memcpy(static_cast<void*>(e), &v.packed, sizeof(e));
  }
};

// Vector i of an array whose vectors begin `skip` bytes after an aligned place.
template <bool Shift, bool Streaming, int Width, class T>
__device__ __forceinline__ vector_of<T, Width> load_vector(const T* base, long long i, unsigned skip) {
  using vector = vector_of<T, Width>;
  constexpr int bytes = vector::bytes;
  vector v;
  if constexpr (!vector::is_word) {
    v.packed = base[i];
  } else if constexpr (!Shift) {
    const auto* p = reinterpret_cast<const decltype(v.packed)*>(base) + i;
    if constexpr (Streaming) v.packed = __ldcs(p);
    else v.packed = *p;
  } else if constexpr (bytes < 4) {
    unsigned char b[bytes];
#pragma unroll
    for (int k = 0; k < bytes; ++k) b[k] = reinterpret_cast<const unsigned char*>(base)[i * bytes + k];
    __builtin_memcpy(&v.packed, b, bytes);
  } else {
    const unsigned char* aligned = reinterpret_cast<const unsigned char*>(base) - skip;
    const auto* p = reinterpret_cast<const decltype(v.packed)*>(aligned) + i;
    // where nothing is to be shifted the neighbour may be another thread's target
    v.packed = arch::cuda::shifted<bytes>(p[0], p[skip != 0 ? 1 : 0], skip);
  }
  return v;
}

template <bool Streaming, int Width, class T>
__device__ __forceinline__ void store_vector(T* base, long long i, const vector_of<T, Width>& v) {
  if constexpr (vector_of<T, Width>::is_word) {
    auto* p = reinterpret_cast<std::remove_const_t<decltype(v.packed)>*>(base) + i;
    if constexpr (Streaming) __stcs(p, v.packed);
    else *p = v.packed;
  } else {
    base[i] = v.packed;
  }
}

}  // namespace penstock::detail
