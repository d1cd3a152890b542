// What tests/run/table_mutants.hpp did to a table, in the words of the checker, which breaks tables in the same ways.
#pragma once

#include "run/table_mutants.hpp"

#include <penstock/check/mutants.hpp>

#include <stdexcept>

namespace mutants {

inline bool same(const check::table& a, const check::table& b) {
  bool same = a.agents.size() == b.agents.size() && a.stages.size() == b.stages.size();
  for (std::size_t k = 0; same && k < a.agents.size(); ++k)
    same = a.agents[k].loop == b.agents[k].loop && a.agents[k].drain == b.agents[k].drain;
  for (std::size_t k = 0; same && k < a.stages.size(); ++k)
    same = a.stages[k].ring.slots == b.stages[k].ring.slots && a.stages[k].ring.arrivals == b.stages[k].ring.arrivals &&
           a.stages[k].expected == b.stages[k].expected;
  return same;
}

template <class Table>
std::string name_of(const Table& sound, int n) {
  const check::table broken = check::table_of(mutated(sound, n));
  for (const check::mutant& m : check::mutants_of(check::table_of(sound)))
    if (same(m.broken, broken)) return m.what;
  throw std::logic_error("the checker knows no such mutant");
}

}  // namespace mutants
