// How the native backend orders grids that follow each other in a stream.
#pragma once

#include <penstock/arch/ampere/grids.hpp>
#include <penstock/arch/hopper/grids.hpp>
#include <penstock/arch/native.hpp>
#include <penstock/arch/portable/grids.hpp>

namespace penstock::arch {

template <backend Backend>
struct select_grids { using type = portable::grids; };
template <> struct select_grids<backend::hopper> { using type = hopper::grids; };
template <> struct select_grids<backend::ampere> { using type = ampere::grids; };
using native_grids = select_grids<native_backend>::type;

// Does code compiled for this backend wait by itself for the grid before it? Only then may it be launched early.
constexpr bool grids_wait(backend compiled) { return compiled == backend::hopper; }

}  // namespace penstock::arch
