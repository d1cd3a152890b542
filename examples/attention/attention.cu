// Causal attention with a linear bias: each block of 64 rows meets its keys from the nearest backwards and leaves when
// a bound says that nothing further can matter. Prints what that saves, and checks rows against an f64 reference that
// meets every key.
//
//   read k ──▶ k[2] ──▶ ┌────────┐
//   (async)             │ attend │
//   read v ──▶ v[2] ──▶ └────────┘
//   (async)             (sync, stops)
//
// lines.hpp holds the pipeline, gpu_rows.hpp and host_rows.hpp what a block of rows does.
#include <charconv>
#include <cstdio>

#include "places.hpp"
#include "support/cli.hpp"
#include "verify.hpp"

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
