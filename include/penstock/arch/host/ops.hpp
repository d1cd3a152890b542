// The operations of the host backend under one name.
#pragma once

#include <penstock/arch/host/checks.hpp>
#include <penstock/arch/host/copy.hpp>
#include <penstock/arch/host/order.hpp>
#include <penstock/arch/host/signal.hpp>
#include <penstock/arch/host/threads.hpp>

namespace penstock::arch::host {

struct ops : threads, words, checks, signals, order, copies {};

}  // namespace penstock::arch::host
