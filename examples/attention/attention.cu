// Causal attention with a linear bias: each block of 64 rows meets its keys from the nearest backwards and leaves when
// a bound says that nothing further can matter. Prints what that saves, and checks rows against an f64 reference that
// meets every key.
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <vector>

#include "host_rows.hpp"
#include "support/cli.hpp"
#include "support/gpu.hpp"
#include "support/pattern.hpp"

#if defined(__CUDACC__)
#include "gpu_rows.hpp"
#endif

namespace penstock::examples::attention {

double median(std::vector<double> seconds) {
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<long>(seconds.size() / 2), seconds.end());
  return seconds[seconds.size() / 2];
}

struct outcome {
  double seconds = 0;
  unsigned long long met = 0;  // blocks of keys, by all blocks of rows
};

unsigned long long all_blocks(const problem& p) {
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

outcomes attend_at_host(problem p, arrays& a, int repeats) {
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
      reach_kernel<<<static_cast<unsigned>(p.heads), 1024>>>(run, reach.data());
      launch<attention_line, specialised<8>, Ceiling>(
          nullptr, dim3(static_cast<unsigned>(p.row_blocks()), static_cast<unsigned>(p.heads)),
          attend_kernel<specialised<8>, Ceiling>, run, k_map, v_map, met.data());
      const double took = clock.stop();
      if (i >= 0) seconds.push_back(took);
    }
    return outcome{median(seconds), met.read()[0]};
  };
  const outcome whole = measure(-1);
  require_cuda(cudaMemset(out.data(), 0xff, a.out.size() * sizeof(float)),
        "cannot clear the output");  // NaN where nothing is written
  const outcome bounded = measure(p.tolerance);
  a.out = out.read();
  return {whole, bounded};
}
#endif

// The largest distance to rows of an f64 reference; rows are spread over heads and tokens, the last one of each is
// there.
void verify(const problem& p, const arrays& a) {
  double largest = 0, checked = 0, longest_value = 0;
  for (const float x : a.v) longest_value = std::max(longest_value, std::abs(static_cast<double>(x)));
  // what is left out weighs at most `tolerance`, and moves the mean of the rest by as much; f32 sums and exponents add
  // theirs
  const double allowed = longest_value * (2.0 * static_cast<double>(std::max(p.tolerance, 0.f)) + 2e-5);
  const int step = std::max(1, p.tokens / 61);
  for (int h = 0; h < p.heads; ++h)
    for (int row = p.tokens - 1; row >= 0; row -= step) {
      const std::size_t head = static_cast<std::size_t>(h) * static_cast<std::size_t>(p.tokens) * width;
      const float* const q = a.q.data() + head + static_cast<std::size_t>(row) * width;
      const double slope = static_cast<double>(slope_of(h, p.heads));
      std::vector<double> out(width, 0.0);
      double sum = 0;
      for (int j = 0; j <= row; ++j) {
        const std::size_t at = head + static_cast<std::size_t>(j) * width;
        double dot = 0;
        for (std::size_t d = 0; d < width; ++d) dot += static_cast<double>(q[d]) * static_cast<double>(a.k[at + d]);
        const double weight = std::exp(dot / 8 - slope * (row - j));
        sum += weight;
        for (std::size_t d = 0; d < width; ++d) out[d] += weight * static_cast<double>(a.v[at + d]);
      }
      for (std::size_t d = 0; d < width; ++d, ++checked) {
        const double got = static_cast<double>(a.out[head + static_cast<std::size_t>(row) * width + d]);
        const double distance = std::abs(got - out[d] / sum);
        if (!(distance <= allowed))
          throw std::runtime_error("head " + std::to_string(h) + ", row " + std::to_string(row) + ", column " +
                                   std::to_string(d) + " is " + std::to_string(got) + ", but " +
                                   std::to_string(out[d] / sum) + " in f64");
        largest = std::max(largest, distance);
      }
    }
  std::printf(
      "verified: %.0f elements within %.2g of an f64 reference that meets every key, the furthest off by %.2g\n",
      checked, allowed, largest);
}

}  // namespace penstock::examples::attention

int main(int argc, char** argv) {
  using namespace penstock::examples;
  CLI::App app{"causal attention with a linear bias, whose rows leave their keys when nothing further can matter"};
  common_options common;
  std::uint64_t heads = 0, tokens = 0, repeats = 0;
  float tolerance = 1e-4f;
  add_common_options(app, common);
  add_count(app, "--heads", heads, 1, 1024,
            "whose slopes fall from 2^(-8 / heads) to 2^-8 (default: 16, on the host 4)");
  add_count(app, "--tokens", tokens, 1, 1 << 20, "of each head (default: 16384, on the host 1024)");
  add_count(app, "--repeats", repeats, 1, 1'000'000,
            "measurements, of which the median counts (default: 5, on the host 1)");
  app.add_option("--tolerance", tolerance, "leave when the weights that are left are at most this part of those met")
      ->check([](const std::string& text) {
        double value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool number = code == std::errc() && end == text.data() + text.size();
        return number && value >= 0 && value <= 0.1 ? std::string()
                                                    : "'" + text + "' given, allowed is a number from 0 to 0.1";
      })
      ->capture_default_str();
  return run_main(app, argc, argv, [&] {
    const place here = choose_place(common.backend, common.device);
    const auto chosen = [&](std::uint64_t given, int otherwise) {
      return given > 0 ? static_cast<int>(given) : otherwise;
    };
    attention::problem p;
    p.heads = chosen(heads, here.on_host() ? 4 : 16);
    p.tokens = chosen(tokens, here.on_host() ? 1024 : 16384);
    p.tolerance = tolerance;
    attention::arrays a(p.heads, p.tokens);
    const int count = chosen(repeats, here.on_host() ? 1 : 5);
    const attention::outcomes found = [&] {
#if defined(__CUDACC__)
      if (!here.on_host())
        return below(here.backend,
                     [&](auto ceiling) { return attention::attend_at_gpu<decltype(ceiling)>(p, a, count); });
#endif
      return attention::attend_at_host(p, a, count);
    }();
    const auto& [whole, bounded] = found;
    const double all = static_cast<double>(attention::all_blocks(p));
    std::printf("attention of %d heads, %d tokens of %d, on %s, %s backend\n", p.heads, p.tokens, attention::width,
                here.name.c_str(), to_string(here.backend));
    std::printf("all keys: %.3f ms; left early: %.3f ms, %.3f of the time, having met %.3f of the blocks of keys\n",
                1e3 * whole.seconds, 1e3 * bounded.seconds, bounded.seconds / whole.seconds,
                static_cast<double>(bounded.met) / all);
    if (whole.met != attention::all_blocks(p))
      throw std::runtime_error("the whole pass has not met every block of keys");
    if (common.verify) attention::verify(p, a);
    return 0;
  });
}
