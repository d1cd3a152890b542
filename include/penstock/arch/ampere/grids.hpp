// Grids that follow each other in a stream: as on older GPUs.
#pragma once

#include <penstock/arch/portable/grids.hpp>

namespace penstock::arch::ampere {

using portable::grids;

}  // namespace penstock::arch::ampere
