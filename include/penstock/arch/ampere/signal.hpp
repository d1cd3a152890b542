// Completion signals: as on older GPUs, pipelines run as one agent, and no table for this backend asks for one.
#pragma once

#include <penstock/arch/portable/signal.hpp>

namespace penstock::arch::ampere {

using portable::signals;

}  // namespace penstock::arch::ampere
