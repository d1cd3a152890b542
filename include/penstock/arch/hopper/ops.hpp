// The operations of the hopper backend under one name.
#pragma once

#include <penstock/arch/cuda/checks.hpp>
#include <penstock/arch/cuda/threads.hpp>
#include <penstock/arch/hopper/copy.hpp>
#include <penstock/arch/hopper/order.hpp>
#include <penstock/arch/hopper/signal.hpp>

namespace penstock::arch::hopper {

struct ops : cuda::threads, cuda::words, cuda::checks, signals, order, copies {};

}  // namespace penstock::arch::hopper
