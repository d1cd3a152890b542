// Takes the signal of every body away, but only from pipelines whose first buffer is named so. Include it before any
// header of penstock/run.
#pragma once

#include <penstock/lower/lower.hpp>

template <class Mapping, class Table>
constexpr Table mute_bodies(Table t) {
  if (t.mapped.buffers[0].name != "muted") return t;
  for (auto& agent : t.agents)
    for (int k = 0; k < agent.loop.size(); ++k)
      if (agent.loop[k].what == penstock::op::signal && t.engines[agent.loop[k].stage] == penstock::engine_kind::body) {
        for (int m = k; m + 1 < agent.loop.size(); ++m) agent.loop[m] = agent.loop[m + 1];
        --agent.loop.count;
      }
  return t;
}

#define PENSTOCK_MUTATION mute_bodies
