// What the abstraction costs: the three-stage loop read / compute / write as a declared pipeline, by hand in PTX, and
// by cuda::pipeline. Cycles an iteration of one block, throughput of the whole device, registers, spills, shared
// memory; benchmarks/sass.py counts the instructions of the same kernels in this program's code.
#include "overhead/by_hand.hpp"
#include "overhead/cuda_pipeline.hpp"
#include "overhead/declared.hpp"
#include "support/report.hpp"

#include <cmath>

namespace {

using namespace overhead;
using kernel = void (*)(const float*, float*, long long, long long*);

struct arrays {
  float *in = nullptr, *out = nullptr;
  long long* cycles = nullptr;
  int most_blocks = 0;
};

__global__ void fill(float* p, long long n) {
  for (long long k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
    p[k] = static_cast<float>((static_cast<unsigned>(k) * 2654435761u) >> 12);
}
__global__ void count_wrong(const float* in, const float* out, long long n, unsigned long long* wrong) {
  for (long long k = blockIdx.x * blockDim.x + threadIdx.x; k < n; k += gridDim.x * blockDim.x)
    if (out[k] != 2.0f * in[k] + 1.0f) atomicAdd(wrong, 1ull);
}

template <class Body>
bool verified(const arrays& a, int blocks) {
  if (!Body::writes) return true;  // the slots hold nothing to compare; a wrong hand-over would hang
  unsigned long long* wrong = nullptr;
  unsigned long long host = 0;
  bench::require(cudaMalloc(&wrong, sizeof host), "cannot allocate");
  bench::require(cudaMemset(wrong, 0, sizeof host), "cannot clear");
  count_wrong<<<264, 256>>>(a.in, a.out, static_cast<long long>(blocks) * tiles * Body::words, wrong);
  bench::require(cudaMemcpy(&host, wrong, sizeof host, cudaMemcpyDeviceToHost), "cannot compare");
  bench::require(cudaFree(wrong), "cannot free");
  return host == 0;
}

// Cycles an iteration from the slope between two counts, so that setting up and draining cancel out.
bench::summary cycles_of(kernel k, int threads, long long shared, const arrays& a, int samples) {
  std::vector<double> slopes;
  const auto once = [&](long long n) {
    k<<<1, threads, shared>>>(a.in, a.out, n, a.cycles);
    long long c = 0;
    bench::require(cudaMemcpy(&c, a.cycles, sizeof c, cudaMemcpyDeviceToHost), "the loop failed");
    return static_cast<double>(c);
  };
  constexpr long long few = 256, many = 4352;
  (void)once(few);
  for (int s = 0; s < samples; ++s) slopes.push_back((once(many) - once(few)) / (many - few));
  return bench::summarise(slopes);
}

template <class Body>
void measure(bench::report& r, const std::string& who, int depth, kernel k, int threads, long long shared,
             const arrays& a, bool quick) {
  const std::string what = std::string("loop, ") + Body::name;
  if (!r.wants(what)) return;
  const void* entry = reinterpret_cast<const void*>(k);
  cudaFuncAttributes f{};
  bench::require(cudaFuncGetAttributes(&f, entry), "cannot query the kernel");
  bench::require(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared)),
                 "cannot raise the shared memory");
  int each = 0;
  bench::require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, entry, threads, shared),
                 "cannot compute the occupancy");
  char more[160];
  std::snprintf(more, sizeof more, "registers %d, spilled bytes %zu, shared bytes %lld, blocks an SM %d", f.numRegs,
                f.localSizeBytes, shared + static_cast<long long>(f.sharedSizeBytes), each);
  bench::require(cudaMemset(a.out, 0xff, sizeof(float) * a.most_blocks * tiles * Body::words), "cannot clear");
  const bench::summary c = cycles_of(k, threads, shared, a, quick ? 5 : 11);
  r.add(what, who, depth, "cycles", c, verified<Body>(a, 1), more);
  const int blocks = std::min(each * bench::query_device().processors, a.most_blocks);
  constexpr long long n = 2048;
  const auto t = bench::time_all(
      nullptr, {{who, [&](cudaStream_t s, int) { k<<<blocks, threads, shared, s>>>(a.in, a.out, n, a.cycles); }}},
      {.samples = quick ? 3 : 7, .sample_us = 0});
  const bench::summary per{t[0].median * 1000 / n, t[0].low * 1000 / n, t[0].high * 1000 / n};
  r.add(what + ", all SMs", who, depth, "ns", per, verified<Body>(a, blocks), more);
}

template <class Mapping, int Depth, class Body>
void measure_declared(bench::report& r, const char* who, const arrays& a, bool quick) {
  const auto k = declared<Depth, Body, Mapping>;
  const penstock::launch_shape s = penstock::prepare<line<Depth, Body>, Mapping>(reinterpret_cast<const void*>(k));
  measure<Body>(r, who, Depth, k, s.threads, s.shared_bytes, a, quick);
}

template <int Depth, class Body>
void compare(bench::report& r, const arrays& a, bool quick) {
  measure_declared<penstock::specialised<>, Depth, Body>(r, "penstock, specialised", a, quick);
  if (bench::query_device().capability >= 90)
    measure<Body>(r, "by hand, PTX", Depth, by_hand<Depth, Body>, compute_threads + 64, by_hand_shared<Depth, Body>, a,
                  quick);
  measure_declared<penstock::uniform<>, Depth, Body>(r, "penstock, uniform", a, quick);
  measure<Body>(r, "cuda::pipeline", Depth, cuda_pipeline<Depth, Body>, compute_threads,
                cuda_pipeline_shared<Depth, Body>, a, quick);
}

template <class Body>
void all_depths(bench::report& r, const arrays& a, bool quick) {
  compare<2, Body>(r, a, quick);
  compare<4, Body>(r, a, quick);
  compare<8, Body>(r, a, quick);
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o =
      bench::parse(argc, argv, "The three-stage loop: penstock against hand-written PTX and cuda::pipeline.");
  bench::report r(o);
  arrays a;
  a.most_blocks = 8 * bench::query_device().processors;
  const long long words = static_cast<long long>(a.most_blocks) * tiles * heavy::words;
  bench::require(cudaMalloc(&a.in, words * sizeof(float)), "cannot allocate");
  bench::require(cudaMalloc(&a.out, words * sizeof(float)), "cannot allocate");
  bench::require(cudaMalloc(&a.cycles, a.most_blocks * sizeof(long long)), "cannot allocate");
  fill<<<264, 256>>>(a.in, words);
  all_depths<nothing>(r, a, o.quick);
  all_depths<light>(r, a, o.quick);
  all_depths<heavy>(r, a, o.quick);
  return r.failed() ? 1 : 0;
}
