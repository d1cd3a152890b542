// The operations of the ampere backend under one name.
#pragma once

#include <penstock/arch/cuda/checks.hpp>
#include <penstock/arch/cuda/threads.hpp>
#include <penstock/arch/ampere/copy.hpp>
#include <penstock/arch/ampere/order.hpp>
#include <penstock/arch/ampere/signal.hpp>

namespace penstock::arch::ampere {

struct ops : cuda::threads, cuda::words, cuda::checks, signals, order, copies {};

}  // namespace penstock::arch::ampere
