// The operations of a channel on the backend that this compilation pass generates code for.
#pragma once

#include <penstock/arch/host/ring.hpp>

#if defined(__CUDACC__)
#include <penstock/arch/ampere/ring.hpp>
#include <penstock/arch/hopper/ring.hpp>
#include <penstock/arch/portable/ring.hpp>
#endif

namespace penstock::arch {

#if !defined(__CUDA_ARCH__)
using ring_ops = host::ring_ops;
#elif __CUDA_ARCH__ >= 900
using ring_ops = hopper::ring_ops;
#elif __CUDA_ARCH__ >= 800
using ring_ops = ampere::ring_ops;
#else
using ring_ops = portable::ring_ops;
#endif

}  // namespace penstock::arch
