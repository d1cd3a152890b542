// The product on a GPU, in turns with cuBLAS, and beside a plain one.
#pragma once

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "gpu.hpp"
#include "report.hpp"
#include "support/gpu.hpp"

namespace penstock::examples::gemm {

// Elements further from the plain product than rounding explains.
inline void verify_on_gpu(const product& p, const float* reference, const char* who) {
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

inline void multiply_on_gpu(const settings& s, bool by_warpgroups) {
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
  plain_kernel<<<dim3(static_cast<unsigned>(blocks_of(s.columns, 16)),
                      static_cast<unsigned>(std::min(blocks_of(s.rows, 16), 65535))),
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

}  // namespace penstock::examples::gemm
