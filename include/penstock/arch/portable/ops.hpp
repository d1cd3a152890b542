// The operations of the portable backend under one name.
#pragma once

#include <penstock/arch/cuda/checks.hpp>
#include <penstock/arch/cuda/threads.hpp>
#include <penstock/arch/portable/copy.hpp>
#include <penstock/arch/portable/order.hpp>
#include <penstock/arch/portable/signal.hpp>

namespace penstock::arch::portable {

struct ops : cuda::threads, cuda::words, cuda::checks, signals, order, copies {};

}  // namespace penstock::arch::portable
