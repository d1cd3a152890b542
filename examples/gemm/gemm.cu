// c = a b^T of bf16 matrices with f32 sums, by loops that their author owns and channels that carry the tiles. Where
// the rows of a end in zeros, their tiles end early: those who multiply learn it from the channel. Prints the speed
// beside cuBLAS's in the same run, on random data.
#include <array>
#include <cstdio>
#include <numeric>
#include <vector>

#include "host.hpp"
#include "support/cli.hpp"
#include "support/gpu.hpp"

#if defined(__CUDACC__)
#include "gpu.hpp"
#endif

namespace penstock::examples::gemm {

struct settings {
  int rows = 0, columns = 0, depth = 0;
  int filled = 100;  // per cent of the depth that a's rows hold
  bool ragged = false;
  int repeats = 0;
  bool verify = false;
};

// Where the rows of each block of a end: all alike, or each block for itself, some at once.
std::vector<int> ends_of(const settings& s) {
  const int most = static_cast<int>(static_cast<long long>(s.depth) * s.filled / 100);
  std::vector<int> ends(static_cast<std::size_t>(blocks_of(s.rows, rows_a_block)), most);
  if (s.ragged)
    for (std::size_t k = 0; k < ends.size(); ++k) ends[k] = most - static_cast<int>(most * (k * 7 % 16) / 15);
  return ends;
}

double median(std::vector<double> seconds) {
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<long>(seconds.size() / 2), seconds.end());
  return seconds[seconds.size() / 2];
}

void print_speed(const char* who, const product& p, double seconds) {
  const double speed = 1e-12 * p.flops() / seconds;
  std::printf("%s: %.3f ms, %.1f %s", who, 1e3 * seconds, speed < 1 ? 1e3 * speed : speed,
              speed < 1 ? "GFLOP/s" : "TFLOP/s");
}

void verified(const product& p, unsigned long long wrong, double checked, double largest) {
  if (wrong > 0)
    throw std::runtime_error("the product is wrong: " + std::to_string(wrong) +
                             " elements are further from the plain "
                             "product than rounding explains, the furthest by " +
                             std::to_string(largest));
  std::printf("verified: %.0f of %.0f elements within one rounding of the plain product, the furthest off by %g\n",
              checked, 1.0 * p.rows * p.columns, largest);
}

#if defined(__CUDACC__)

// Elements further from the plain product than rounding explains.
void verify_on_gpu(const product& p, const float* reference, const char* who) {
  const gpu_array<difference> d(std::vector<difference>(1));
  const long long count = static_cast<long long>(p.rows) * p.columns;
  compare_kernel<<<1024, 256>>>(p.c, reference, count, p.depth, d.data());
  require_cuda(cudaGetLastError(), "cannot launch the comparison");
  const difference found = d.read()[0];
  float largest;
  std::memcpy(&largest, &found.largest, 4);
  std::printf("%s ", who);
  verified(p, found.wrong, static_cast<double>(count), largest);
}

void multiply_on_gpu(const settings& s, bool by_warpgroups) {
  const std::size_t na = static_cast<std::size_t>(s.rows) * static_cast<std::size_t>(s.depth),
                    nb = static_cast<std::size_t>(s.columns) * static_cast<std::size_t>(s.depth),
                    nc = static_cast<std::size_t>(s.rows) * static_cast<std::size_t>(s.columns);
  const gpu_array<bf16> a(na), b(nb), c(nc);
  const std::vector<int> ends = ends_of(s);
  const gpu_array<int> d_ends(ends), filled(ends.size());
  const product p{a.data(), b.data(), c.data(), s.rows, s.columns, s.depth};
  const multiplication ours(p, filled.data(), by_warpgroups);
  const cublas theirs;
  gpu_clock clock;

  const auto fill = [&](const int* where) {
    fill_kernel<<<1024, 256>>>(a.data(), static_cast<long long>(na), s.depth, 1, where);
    fill_kernel<<<1024, 256>>>(b.data(), static_cast<long long>(nb), s.depth, 2, nullptr);
    require_cuda(cudaGetLastError(), "cannot launch a kernel");
  };
  const auto look = [&] {
    require_cuda(cudaMemsetAsync(filled.data(), 0, ends.size() * sizeof(int)), "cannot clear the ends of the rows");
    filled_kernel<<<dim3(static_cast<unsigned>(ends.size()), filled_shares), filled_threads>>>(p.a, p.rows, p.depth,
                                                                                               filled.data());
    require_cuda(cudaGetLastError(), "cannot launch a kernel");
  };
  const auto time = [&](auto&& work) {
    clock.start();
    work();
    return clock.stop();
  };
  // In turns, so that neither has the better clocks; the first rounds pay for loading code and raising clocks.
  const auto measure = [&](bool beside) {
    std::vector<double> mine, peers, looking;
    for (int k = -3; k < s.repeats; ++k) {
      const double looked = time(look), multiplied = time([&] { ours.run(); });
      const double peer = beside && cublas::present ? time([&] { theirs.multiply(p); }) : 0;
      if (k < 0) continue;
      looking.push_back(looked);
      mine.push_back(multiplied);
      peers.push_back(peer);
    }
    return std::array{median(mine), median(peers), median(looking)};
  };

  fill(nullptr);
  const auto whole = measure(true);
  print_speed("penstock", p, whole[0]);
  if (cublas::present) {
    print_speed("; cuBLAS", p, whole[1]);
    std::printf("; %.3f of cuBLAS", whole[1] / whole[0]);
  }
  std::printf("\n");
  if (s.filled < 100 || s.ragged) {
    fill(d_ends.data());
    const auto part = measure(false);
    const double share =
        std::accumulate(ends.begin(), ends.end(), 0.0) / (1.0 * s.depth * static_cast<double>(ends.size()));
    const double all = part[0] + part[2];
    std::printf("%.3f of the depth filled: %.3f ms and %.3f ms to find that out, %.3f of the whole product's time\n",
                share, 1e3 * part[0], 1e3 * part[2], all / whole[0]);
  }
  if (!s.verify) return;
  const gpu_array<float> reference(nc);
  plain_kernel<<<dim3(static_cast<unsigned>(blocks_of(s.columns, 16)), static_cast<unsigned>(blocks_of(s.rows, 16))),
                 dim3(16, 16)>>>(p, reference.data());
  require_cuda(cudaGetLastError(), "cannot launch the plain product");
  require_cuda(cudaMemset(c.data(), 0xff, nc * sizeof(bf16)), "cannot clear the product");  // NaN wherever nothing is written
  look();
  ours.run();
  verify_on_gpu(p, reference.data(), "penstock");
  if (!cublas::present) return;
  theirs.multiply(p);
  verify_on_gpu(p, reference.data(), "cuBLAS");
}

#endif

void multiply_on_host(const settings& s) {
  std::vector<bf16> a(static_cast<std::size_t>(s.rows) * static_cast<std::size_t>(s.depth)),
      b(static_cast<std::size_t>(s.columns) * static_cast<std::size_t>(s.depth)),
      c(static_cast<std::size_t>(s.rows) * static_cast<std::size_t>(s.columns), bf16{0x7fc0});
  const std::vector<int> ends = ends_of(s);
  const auto depth = static_cast<std::size_t>(s.depth);
  for (std::size_t k = 0; k < a.size(); ++k)
    a[k] = static_cast<int>(k % depth) < ends[k / depth / rows_a_block] ? random_element(1, k) : bf16{0};
  for (std::size_t k = 0; k < b.size(); ++k) b[k] = random_element(2, k);
  const product p{a.data(), b.data(), c.data(), s.rows, s.columns, s.depth};
  const std::vector<int> filled = host::find_filled(p);
  std::vector<double> seconds;
  for (int k = 0; k < s.repeats; ++k) seconds.push_back(seconds_of([&] { host::multiply(p, filled.data()); }));
  print_speed("penstock", p, median(seconds));
  std::printf("\n");
  if (!s.verify) return;
  // all elements of a small product, one in some of a large one
  const long long count = static_cast<long long>(s.rows) * s.columns;
  const long long stride = std::max(1ll, count * s.depth >> 28) | 1;
  unsigned long long wrong = 0;
  double checked = 0, largest = 0;
  for (long long k = 0; k < count; k += stride, ++checked) {
    float sum = 0;
    for (int i = 0; i < s.depth; ++i)
      sum += widen(a[static_cast<std::size_t>(k / s.columns * s.depth + i)]) *
             widen(b[static_cast<std::size_t>(k % s.columns * s.depth + i)]);
    const float distance = std::abs(widen(c[static_cast<std::size_t>(k)]) - sum);
    wrong += !(distance <= allowed_distance(sum, s.depth));
    largest = std::max(largest, static_cast<double>(distance));
  }
  verified(p, wrong, checked, largest);
}

}  // namespace penstock::examples::gemm

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
