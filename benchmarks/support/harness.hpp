// Timing on the device: samples of ours and the peers interleaved, over buffers that rotate through more than the
// caches.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace bench {

inline void require(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(code));
  std::exit(1);
}

struct device_info {
  std::string name;
  int processors = 0, capability = 0, l2_bytes = 0, clock_khz = 0;
  std::size_t memory = 0;
};
inline device_info query_device() {
  cudaDeviceProp p{};
  int device = 0;
  require(cudaGetDevice(&device), "there is no usable CUDA device");
  require(cudaGetDeviceProperties(&p, device), "cannot query the device");
  device_info d;
  d.name = p.name;
  d.processors = p.multiProcessorCount;
  d.capability = p.major * 10 + p.minor;
  d.l2_bytes = p.l2CacheSize;
  d.memory = p.totalGlobalMem;
  require(cudaDeviceGetAttribute(&d.clock_khz, cudaDevAttrClockRate, device), "cannot query the clock");
  return d;
}

// What the driver's own tool says of clocks, temperature and power now; empty where it is not installed.
inline std::string clocks_now() {
  std::string text;
  if (FILE* p = popen("nvidia-smi --query-gpu=clocks.sm,clocks.mem,temperature.gpu,power.draw --format=csv,noheader -i "
                      "0 2>/dev/null",
                      "r")) {
    char line[256];
    if (std::fgets(line, sizeof line, p)) text = line;
    pclose(p);
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
}

// Holds the stream until the host has enqueued what is to be timed, so that launch latency of the host is not in it.
static __global__ void hold_kernel(long long nanoseconds) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - start < static_cast<unsigned long long>(nanoseconds));
}

struct summary {
  double median = 0, low = 0, high = 0;  // of the samples; low and high are the 10th and 90th percentile
};
inline summary summarise(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const auto at = [&](double q) { return v[static_cast<std::size_t>(q * static_cast<double>(v.size() - 1) + 0.5)]; };
  return {at(0.5), at(0.1), at(0.9)};
}

// One way to do the work: `go` enqueues it for the k-th set of buffers.
struct contender {
  std::string name;
  std::function<void(cudaStream_t, int set)> go;
};

struct plan {
  int samples = 11;
  int warm_up = 2;
  int sets = 1;              // buffer sets to rotate through
  double sample_us = 150;    // a sample repeats short calls until it lasts about this long
  int most_calls = 64;
  double host_us = 6;        // what the host needs to enqueue one call, at most
};

// Microseconds a call, by contender. Each sample times all contenders, starting with another one each time.
inline std::vector<summary> time_all(cudaStream_t stream, const std::vector<contender>& who, const plan& p) {
  cudaEvent_t begin, end;
  require(cudaEventCreate(&begin), "cannot create an event");
  require(cudaEventCreate(&end), "cannot create an event");
  const auto sample = [&](const contender& c, int calls, int first_set) {
    hold_kernel<<<1, 1, 0, stream>>>(20000 + static_cast<long long>(1000 * p.host_us) * calls);
    require(cudaEventRecord(begin, stream), "cannot record an event");
    for (int k = 0; k < calls; ++k) c.go(stream, (first_set + k) % p.sets);
    require(cudaEventRecord(end, stream), "cannot record an event");
    require(cudaEventSynchronize(end), c.name.c_str());
    float ms = 0;
    require(cudaEventElapsedTime(&ms, begin, end), "cannot read the events");
    return 1000.0 * ms / calls;
  };
  const int n = static_cast<int>(who.size());
  std::vector<int> calls(who.size(), 1);
  std::vector<std::vector<double>> times(who.size());
  for (int c = 0; c < n; ++c) {
    double us = 0;
    for (int k = 0; k < std::max(1, p.warm_up); ++k) us = sample(who[c], 1, k);
    calls[c] = std::clamp(static_cast<int>(p.sample_us / std::max(us, 0.5)), 1, p.most_calls);
    if (calls[c] > 1) (void)sample(who[c], calls[c], 0);
  }
  for (int s = 0; s < p.samples; ++s)
    for (int k = 0; k < n; ++k) {
      const int c = (s + k) % n;
      times[c].push_back(sample(who[c], calls[c], s * 7));
    }
  require(cudaEventDestroy(begin), "cannot destroy an event");
  require(cudaEventDestroy(end), "cannot destroy an event");
  std::vector<summary> r;
  for (auto& t : times) r.push_back(summarise(t));
  return r;
}

}  // namespace bench
