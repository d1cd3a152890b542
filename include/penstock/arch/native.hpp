// Which backend this compilation pass generates code for, and its operations.
#pragma once

#include <penstock/arch/host/ops.hpp>
#include <penstock/lower/backend.hpp>

#if defined(__CUDACC__)
#include <penstock/arch/ampere/ops.hpp>
#include <penstock/arch/hopper/ops.hpp>
#include <penstock/arch/portable/ops.hpp>
#endif

namespace penstock {

#if !defined(__CUDA_ARCH__)
inline constexpr backend native_backend = backend::host;
#elif __CUDA_ARCH__ >= 900
inline constexpr backend native_backend = backend::hopper;
#elif __CUDA_ARCH__ >= 800
inline constexpr backend native_backend = backend::ampere;
#else
inline constexpr backend native_backend = backend::portable;
#endif

namespace arch {

template <backend Backend>
struct select { using ops = host::ops; };
#if defined(__CUDACC__)
template <> struct select<backend::hopper> { using ops = hopper::ops; };
template <> struct select<backend::ampere> { using ops = ampere::ops; };
template <> struct select<backend::portable> { using ops = portable::ops; };
#endif

}  // namespace arch

// The backend a device of this compute capability (major * 10 + minor) runs code compiled for it with.
constexpr backend backend_for(int compute_capability) {
  return compute_capability >= 90 ? backend::hopper
         : compute_capability >= 80 ? backend::ampere
         : compute_capability > 0   ? backend::portable
                                    : backend::host;
}

}  // namespace penstock
