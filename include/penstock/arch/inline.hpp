// How functions that run on both sides are marked.
#pragma once

#if defined(__CUDACC__)
#define PENSTOCK_INLINE __forceinline__
#define PENSTOCK_EXEC_CHECK_DISABLE _Pragma("nv_exec_check_disable")
#else
#define PENSTOCK_INLINE inline
#define PENSTOCK_EXEC_CHECK_DISABLE
#endif
