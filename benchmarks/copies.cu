// Contiguous copies, aligned and not: penstock against cudaMemcpyAsync, thrust::copy and cub::DeviceTransform.
#include "support/memory.hpp"
#include "support/report.hpp"

#include <penstock/algorithm/copy.hpp>

#include <cub/device/device_transform.cuh>
#include <thrust/copy.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>

namespace {

struct same {
  template <class T>
  __host__ __device__ T operator()(T v) const { return v; }
};

struct copy_case {
  const char* name;
  long long bytes;
  int to, from;  // offsets from alignment
};

void run(bench::report& r, const bench::arena& memory, const copy_case& c, bool quick, bool tune) {
  const long long field = bench::align_up(c.bytes + 128);
  if (!r.wants(c.name) || !memory.holds(2 * field)) return;
  const int sets = memory.sets(2 * field);
  const auto source = [&](int set) { return memory.data() + 2 * field * set + c.from; };
  const auto target = [&](int set) { return memory.data() + 2 * field * set + field + c.to; };
  const long long n = c.bytes;
  std::vector<bench::contender> who{
      {"penstock", [&](cudaStream_t s, int k) { penstock::copy(s, target(k), source(k), n); }},
      {"cudaMemcpyAsync", [&](cudaStream_t s, int k) {
         bench::require(cudaMemcpyAsync(target(k), source(k), static_cast<std::size_t>(n), cudaMemcpyDeviceToDevice, s),
                        "cudaMemcpyAsync");
       }}};
  const bool words = c.to % 4 == 0 && c.from % 4 == 0 && n % 4 == 0;
  if (words) {
    who.push_back({"thrust::copy", [&](cudaStream_t s, int k) {
                     const thrust::device_ptr<const std::uint32_t> from(
                         reinterpret_cast<const std::uint32_t*>(source(k)));
                     thrust::copy(thrust::cuda::par_nosync.on(s), from, from + n / 4,
                                  thrust::device_ptr<std::uint32_t>(reinterpret_cast<std::uint32_t*>(target(k))));
                   }});
    who.push_back({"cub::DeviceTransform", [&](cudaStream_t s, int k) {
                     bench::require(
                         cub::DeviceTransform::Transform(reinterpret_cast<const std::uint32_t*>(source(k)),
                                                         reinterpret_cast<std::uint32_t*>(target(k)), n / 4, same{}, s),
                         "cub::DeviceTransform");
                   }});
  } else {
    who.push_back({"thrust::copy", [&](cudaStream_t s, int k) {
                     const thrust::device_ptr<const unsigned char> from(source(k));
                     thrust::copy(thrust::cuda::par_nosync.on(s), from, from + n,
                                  thrust::device_ptr<unsigned char>(target(k)));
                   }});
  }
  if (c.to == c.from) {
    who.push_back({"penstock, pipelined 4 KiB x 8", [&](cudaStream_t s, int k) {
                     penstock::copy(s, target(k), source(k), n, penstock::pipelined<>{});
                   }});
    who.push_back({"penstock, pipelined 8 KiB x 4", [&](cudaStream_t s, int k) {
                     penstock::copy(s, target(k), source(k), n, penstock::pipelined<8192, 4>{4});
                   }});
  }
  if (tune && c.to == c.from)
    who.push_back({"penstock, no early launch", [&](cudaStream_t s, int k) {
                     const auto split = penstock::detail::split_copy({target(k), source(k), n});
                     penstock::detail::copy_kernel<1, false, false>
                         <<<static_cast<unsigned>(split.words / 256 + 1), 256, 0, s>>>(split);
                   }});
  if (tune)
    for (int threads : {128, 256, 512})
      for (int unroll : {1, 2, 4})
        for (bool streaming : {false, true}) {
          char name[64];
          std::snprintf(name, sizeof name, "vectorised{%d, %d, %s}", threads, unroll, streaming ? "true" : "false");
          who.push_back({name, [&, threads, unroll, streaming](cudaStream_t s, int k) {
                           penstock::copy(s, target(k), source(k), n, penstock::vectorised{threads, unroll, streaming});
                         }});
        }
  const auto times = bench::time_all(nullptr, who, {.samples = quick ? 7 : 15, .sets = sets});
  for (std::size_t k = 0; k < who.size(); ++k) {
    bench::require(cudaMemset(target(0), 0xff, static_cast<std::size_t>(n)), "cannot clear");
    who[k].go(nullptr, 0);
    r.add(c.name, who[k].name, static_cast<double>(n), "TB/s", bench::rate(times[k], 2.0 * static_cast<double>(n)),
          memory.equal(target(0), source(0), n));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, "Contiguous copies. --tune adds every policy.");
  bench::report r(o);
  const bool tune = o.tune;
  const bench::arena memory(9ll << 30);
  std::vector<long long> sizes{1 << 20, 16 << 20, 64 << 20, 256 << 20, 4ll << 30};
  if (!o.quick)
    sizes = {1 << 16,  1 << 18,  1 << 20,  2 << 20,   4 << 20,   8 << 20,
             16 << 20, 32 << 20, 64 << 20, 256 << 20, 1ll << 30, 4ll << 30};
  for (long long n : sizes) run(r, memory, {"copy", n, 0, 0}, o.quick, tune);
  for (long long n : {64ll << 20, 256ll << 20}) {
    run(r, memory, {"copy, both 1 byte off", n, 1, 1}, o.quick, false);
    run(r, memory, {"copy, source 1 byte off", n, 0, 1}, o.quick, false);
    run(r, memory, {"copy, target 3 and source 8 off", n, 3, 8}, o.quick, false);
    run(r, memory, {"copy, source 4 bytes off", n, 0, 4}, o.quick, false);
  }
  return r.failed() ? 1 : 0;
}
