// Both passes, on the host and on a GPU: how long they take and how many keys they meet.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "host_rows.hpp"
#include "support/gpu.hpp"
#include "support/pattern.hpp"

#if defined(__CUDACC__)
#include "gpu_reach.hpp"
#include "gpu_rows.hpp"
#endif

namespace penstock::examples::attention {

struct outcome {
  double seconds = 0;
  unsigned long long met = 0;  // blocks of keys, by all blocks of rows
};

inline unsigned long long all_blocks(const problem& p) {
  unsigned long long sum = 0;
  for (int b = 0; b < p.row_blocks(); ++b) sum += static_cast<unsigned long long>(p.blocks_before(b));
  return sum * static_cast<unsigned long long>(p.heads);
}

struct arrays {
  std::vector<float> q, k, v, out;
  arrays(int heads, int tokens) {
    const std::size_t count = static_cast<std::size_t>(heads) * static_cast<std::size_t>(tokens) * width;
    for (auto* x : {&q, &k, &v, &out}) x->resize(count);
    fill_coded<float>(q, 1);
    fill_coded<float>(k, 2);
    fill_coded<float>(v, 3);
  }
};

// The whole pass first, then the one with the bound, whose output stays.
using outcomes = std::array<outcome, 2>;

inline outcomes attend_at_host(problem p, arrays& a, int repeats) {
  p.q = a.q.data();
  p.k = a.k.data();
  p.v = a.v.data();
  p.out = a.out.data();
  const std::vector<float> reach = reach_on_host(p);
  p.reach = reach.data();
  const key_map k = map_of(p.k, p), v = map_of(p.v, p);
  const auto measure = [&](float tolerance) {
    problem run = p;
    run.tolerance = tolerance;
    std::atomic<unsigned long long> met{0};
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
      met = 0;
      seconds.push_back(seconds_of([&] {
        in_parallel(static_cast<long long>(p.heads) * p.row_blocks(), [&](long long i) {
          met += static_cast<unsigned long long>(
              attend_on_host(run, k, v, static_cast<int>(i % p.heads), static_cast<int>(i / p.heads)));
        });
      }));
    }
    return outcome{median(seconds), met};
  };
  const outcome whole = measure(-1);
  return {whole, measure(p.tolerance)};
}

#if defined(__CUDACC__)
template <class Ceiling>
outcomes attend_at_gpu(problem p, arrays& a, int repeats) {
  const gpu_array<float> q(a.q), k(a.k), v(a.v), out(a.out.size());
  const gpu_array<float> reach(static_cast<std::size_t>(p.heads) * static_cast<std::size_t>(p.key_blocks()));
  const gpu_array<unsigned long long> met(std::vector<unsigned long long>(1));
  p.q = q.data();
  p.k = k.data();
  p.v = v.data();
  p.out = out.data();
  p.reach = reach.data();
  const key_map k_map = map_of(p.k, p), v_map = map_of(p.v, p);
  gpu_clock clock;
  const auto measure = [&](float tolerance) {
    problem run = p;
    run.tolerance = tolerance;
    std::vector<double> seconds;
    for (int i = -2; i < repeats; ++i) {
      require_cuda(cudaMemset(met.data(), 0, sizeof(unsigned long long)), "cannot clear a counter");
      clock.start();
      reach_kernel<<<static_cast<unsigned>(p.heads), reach_threads>>>(run, reach.data());
      require_cuda(cudaGetLastError(), "cannot launch a kernel");
      launch<attention_line, specialised<8>, Ceiling>(
          nullptr, dim3(static_cast<unsigned>(p.row_blocks()), static_cast<unsigned>(p.heads)),
          attend_kernel<specialised<8>, Ceiling>, run, k_map, v_map, met.data());
      const double took = clock.stop();
      if (i >= 0) seconds.push_back(took);
    }
    return outcome{median(seconds), met.read()[0]};
  };
  const outcome whole = measure(-1);
  // NaN where nothing is written
  require_cuda(cudaMemset(out.data(), 0xff, a.out.size() * sizeof(float)), "cannot clear the output");
  const outcome bounded = measure(p.tolerance);
  a.out = out.read();
  return {whole, bounded};
}
#endif

}  // namespace penstock::examples::attention
