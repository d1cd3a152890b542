// c = a b^T of bf16 matrices with f32 sums, by loops that their author owns and channels that carry the tiles. Where
// the rows of a end in zeros, their tiles end early: those who multiply learn it from the channel. Prints the speed
// beside cuBLAS's in the same run, on random data.
//
//   fetch ══▶ operands[4] ══▶ multiply ══▶ results[2] ══▶ store        on Hopper; hopper.hpp
//   fetch ══▶ operands[3] ══▶ multiply, sums in registers ──▶ c        on Ampere; ampere.hpp
#include <cstdio>

#include "on_host.hpp"
#include "support/cli.hpp"
#include "support/gpu.hpp"

#if defined(__CUDACC__)
#include "on_gpu.hpp"
#endif

int main(int argc, char** argv) {
  using namespace penstock::examples;
  CLI::App app{"c = a b^T of bf16 matrices through penstock channels, beside cuBLAS"};
  common_options common;
  std::uint64_t rows = 0, columns = 0, depth = 0, filled = 100, repeats = 0;
  bool ragged = false;
  add_common_options(app, common);
  add_count(app, "--rows", rows, 1, 1 << 20, "of a and c (default: 8192, on the host 256)");
  add_count(app, "--columns", columns, 8, 1 << 20, "of c: rows of b; a multiple of 8 (default: as --rows)");
  add_count(app, "--depth", depth, 8, 1 << 20, "of a and b: their columns; a multiple of 8 (default: as --rows)");
  add_count(app, "--filled", filled, 0, 100, "per cent of the depth that a's rows hold; the rest is zeros");
  app.add_flag("--ragged", ragged, "blocks of 128 rows of a end at different depths, some at once");
  add_count(app, "--repeats", repeats, 1, 1'000'000,
            "measurements, of which the median counts (default: 20, on the host 1)");
  return run_main(app, argc, argv, [&] {
    const place here = choose_place(common.backend, common.device);
    if (here.backend == backend_choice::portable)
      throw std::invalid_argument(
          "the portable backend has no matrix instructions for this product; hopper, ampere and "
          "host run it");
    const auto chosen = [&](std::uint64_t given, std::uint64_t otherwise) {
      return static_cast<int>(given > 0 ? given : otherwise);
    };
    gemm::settings s;
    s.rows = chosen(rows, here.on_host() ? 256 : 8192);
    s.columns = chosen(columns, static_cast<std::uint64_t>((s.rows + 7) / 8 * 8));
    s.depth = chosen(depth, static_cast<std::uint64_t>((s.rows + 7) / 8 * 8));
    for (const auto& [name, value] : {std::pair{"--columns", s.columns}, std::pair{"--depth", s.depth}})
      if (value % 8 != 0)
        throw std::invalid_argument(std::string(name) + ": '" + std::to_string(value) +
                                    "' given, allowed are multiples of 8: rows of 16 bytes");
    s.filled = static_cast<int>(filled);
    s.ragged = ragged;
    s.repeats = chosen(repeats, here.on_host() ? 1 : 20);
    s.verify = common.verify;
    std::printf("c = a b^T, %d x %d x %d, bf16 with f32 sums, on %s, %s backend\n", s.rows, s.columns, s.depth,
                here.name.c_str(), to_string(here.backend));
#if defined(__CUDACC__)
    if (!here.on_host()) {
      gemm::multiply_on_gpu(s, here.backend == backend_choice::hopper);
      return 0;
    }
#endif
    gemm::multiply_on_host(s);
    return 0;
  });
}
