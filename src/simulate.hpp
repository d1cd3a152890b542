// When does each instance of each stage start and complete, if stages take the times that the plan gives?
#pragma once

#include "analysis.hpp"

#include <optional>
#include <vector>

namespace penstock::command {

inline constexpr int most_iterations = 100'000;

struct instance {
  double ready = 0;  // its agent is free for it
  double start = 0;  // its guards have passed
  double freed = 0;  // its agent goes on
  double complete = 0;
  int held_by = -1;  // the guard that let it start last, where one made it wait
};

// Iterations first … last start at intervals that repeat every `cycle` iterations.
struct steady_state {
  int first = 0;
  int last = 0;
  int cycle = 1;
  double period_ns = 0;
};

struct simulation {
  std::vector<std::vector<instance>> stages{};  // [stage][iteration]
  std::optional<steady_state> steady{};
  double end_ns = 0;

  int iterations() const { return stages.empty() ? 0 : static_cast<int>(stages[0].size()); }
  double period_of_second_half() const;
};

// The plan must be sound, 1 <= iterations.
simulation simulate(const bounded_plan& p, const std::vector<guard>& guards, int iterations);

// Where no stage takes any time: the same plan with 1 ns to issue and 1 ns to complete each.
bool takes_no_time(const bounded_plan& p);
void give_unit_times(bounded_plan& p);

}  // namespace penstock::command
