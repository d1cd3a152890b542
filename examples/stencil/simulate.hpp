// Heat diffusion through the pipeline, and by plain loops to hold it against.
#pragma once

#include <cstdint>
#include <span>

#include "grid.hpp"
#include "support/backend.hpp"
#include "support/progress.hpp"

namespace penstock::examples {

template <class T>
struct simulated {
  T residual = 0;      // the largest change of a cell in the last step
  double seconds = 0;  // in all steps
};

template <class T>
struct comparison_run {
  simulated<T> pipeline;
  simulated<T> plain;  // the same by one thread a cell, on a GPU; there is none on the host
};

place find_place(backend_choice asked, int device);

// `cells`, without gaps, become what they are `steps` steps later.
template <class T>
comparison_run<T> simulate(const place& here, const grid& g, std::uint64_t steps, std::span<T> cells);

// The same in plain loops over memory, spread over the host's threads: what every backend must agree with.
template <class T>
simulated<T> simulate_plainly(const grid& g, std::uint64_t steps, std::span<T> cells);

}  // namespace penstock::examples
