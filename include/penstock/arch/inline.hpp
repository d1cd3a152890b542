// How functions that run on both sides are marked.
#pragma once

#if defined(__CUDACC__)
#define PENSTOCK_INLINE __forceinline__
#define PENSTOCK_EXEC_CHECK_DISABLE _Pragma("nv_exec_check_disable")
#else
#define PENSTOCK_INLINE inline
#define PENSTOCK_EXEC_CHECK_DISABLE
#endif

// Before a loop that must stay one.
#if defined(__CUDA_ARCH__)
#define PENSTOCK_ROLLED _Pragma("unroll 1")
#else
#define PENSTOCK_ROLLED
#endif
