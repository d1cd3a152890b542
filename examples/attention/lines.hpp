// A block of rows meets the keys, block by block, and leaves when a bound says that no later one can matter.
//
//   read k ──▶ k[2] ─┐
//                    ├──▶ attend: online softmax, returns stop when every row is done
//   read v ──▶ v[2] ─┘
#pragma once

#include <penstock/run/run.hpp>

#include "heads.hpp"

namespace penstock::examples::attention {

// clang-format off
using attention_line = pipeline<
    buffer<"k", keys, depth<2>>, buffer<"v", keys, depth<2>>,
    stage<"read k", async, writes<"k">>,
    stage<"read v", async, writes<"v">>,
    stage<"attend", sync, reads<"k">, reads<"v">>>;
// clang-format on

}  // namespace penstock::examples::attention
