// Rows by index and batches of buffers: penstock against thrust::gather, cub::DeviceMemcpy::Batched and
// cudaMemcpyBatchAsync.
#include "support/memory.hpp"
#include "support/report.hpp"

#include <penstock/algorithm/batched.hpp>
#include <penstock/algorithm/copy.hpp>
#include <penstock/algorithm/gather.hpp>

#include <cub/device/device_memcpy.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>

#include <bit>
#include <random>

namespace {

using bench::contender;

template <int Bytes>
struct alignas(Bytes < 16 ? Bytes : 16) row_of {
  unsigned char b[Bytes];
};

template <class Row>
__global__ void reference_gather(Row* to, const Row* from, const int* index, long long n) {
  for (long long k = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x; k < n;
       k += static_cast<long long>(gridDim.x) * blockDim.x)
    to[k] = from[index[k]];
}

// Random rows of a table of 1 GiB.
template <int Bytes>
void gather(bench::report& r, const bench::arena& m, bool quick) {
  using row = row_of<Bytes>;
  const std::string name = "gather rows of a 1 GiB table";
  if (!r.wants(name)) return;
  constexpr long long table = (1ll << 30) / Bytes, count = std::min<long long>((256ll << 20) / Bytes, 16 << 20);
  const long long out = bench::align_up(count * Bytes), index_bytes = bench::align_up(count * 4);
  if (!m.holds((1ll << 30) + 3 * out + index_bytes)) return;
  const row* from = reinterpret_cast<const row*>(m.data());
  int* index = reinterpret_cast<int*>(m.data() + (1ll << 30));
  const auto to = [&](int k) { return reinterpret_cast<row*>(m.data() + (1ll << 30) + index_bytes + out * k); };
  std::mt19937_64 random(Bytes);
  std::vector<int> host(static_cast<std::size_t>(count));
  for (int& i : host) i = static_cast<int>(random() % static_cast<unsigned long long>(table));
  bench::require(cudaMemcpy(index, host.data(), host.size() * 4, cudaMemcpyHostToDevice), "cannot write the indices");
  const std::vector<contender> who{
      {"penstock",
       [&](cudaStream_t s, int k) {
         penstock::gather(s, reinterpret_cast<unsigned char*>(to(k)), reinterpret_cast<const unsigned char*>(from),
                          Bytes, index, count);
       }},
      {"thrust::gather",
       [&](cudaStream_t s, int k) {
         const thrust::device_ptr<const int> map(index);
         thrust::gather(thrust::cuda::par_nosync.on(s), map, map + count, thrust::device_ptr<const row>(from),
                        thrust::device_ptr<row>(to(k)));
       }},
      {"penstock::copy of as many bytes", [&](cudaStream_t s, int k) { penstock::copy(s, to(k), from, count); }}};
  const auto times = bench::time_all(nullptr, who, {.samples = quick ? 5 : 11, .sets = 2});
  reference_gather<<<2048, 256>>>(to(2), from, index, count);
  for (std::size_t k = 0; k < who.size(); ++k) {
    bool right = true;
    if (k < 2) {
      bench::require(cudaMemset(to(0), 0xa5, static_cast<std::size_t>(out)), "cannot clear");
      who[k].go(nullptr, 0);
      right = m.equal(to(0), to(2), count * Bytes);
    }
    r.add(name, who[k].name, Bytes, "TB/s", bench::rate(times[k], 2.0 * static_cast<double>(count) * Bytes), right);
  }
}

void check_batch(cudaError_t code) { bench::require(code, "cudaMemcpyBatchAsync"); }

__global__ void reference_batch(unsigned char* const* to, unsigned char* const* from, const unsigned* size,
                                long long n) {
  for (long long k = blockIdx.x; k < n; k += gridDim.x)
    for (unsigned b = threadIdx.x; b < size[k]; b += blockDim.x) to[k][b] = from[k][b];
}

struct batch_case {
  std::string name;
  double size;  // on the plot's axis
  std::vector<long long> sizes;
  int to_step, from_step;  // buffers begin at multiples of these
};

void batch(bench::report& r, const bench::arena& m, const batch_case& c, bool quick) {
  if (!r.wants(c.name)) return;
  const std::size_t n = c.sizes.size();
  long long to_all = 0, from_all = 0, payload = 0;
  std::vector<long long> to_at(n), from_at(n);
  // sources in another order than targets, as buffers come in practice
  std::vector<std::size_t> order(n);
  for (std::size_t k = 0; k < n; ++k) order[k] = k;
  std::shuffle(order.begin(), order.end(), std::mt19937(1));
  for (std::size_t k = 0; k < n; ++k) {
    to_at[k] = to_all;
    to_all = bench::align_up(to_all + c.sizes[k], c.to_step);
    payload += c.sizes[k];
  }
  for (std::size_t k : order) {
    from_at[k] = from_all;
    from_all = bench::align_up(from_all + c.sizes[k], c.from_step);
  }
  const long long to_bytes = bench::align_up(to_all), from_bytes = bench::align_up(from_all),
                  set = to_bytes + from_bytes;
  if (!m.holds(set + to_bytes)) return;
  const int sets = std::min(m.sets(set), 4);
  std::vector<std::vector<void*>> to(static_cast<std::size_t>(sets)), from(static_cast<std::size_t>(sets));
  std::vector<std::size_t> sizes(c.sizes.begin(), c.sizes.end());
  void **to_device = nullptr, **from_device = nullptr;
  unsigned* sizes_device = nullptr;
  std::vector<unsigned> short_sizes(c.sizes.begin(), c.sizes.end());
  bench::require(cudaMalloc(&to_device, n * sets * sizeof(void*)), "cannot allocate");
  bench::require(cudaMalloc(&from_device, n * sets * sizeof(void*)), "cannot allocate");
  bench::require(cudaMalloc(&sizes_device, n * sizeof(unsigned)), "cannot allocate");
  bench::require(cudaMemcpy(sizes_device, short_sizes.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice),
                 "cannot write");
  for (int s = 0; s < sets; ++s) {
    auto& t = to[static_cast<std::size_t>(s)];
    auto& f = from[static_cast<std::size_t>(s)];
    for (std::size_t k = 0; k < n; ++k) {
      t.push_back(m.data() + set * s + to_at[k]);
      f.push_back(m.data() + set * s + to_bytes + from_at[k]);
    }
    bench::require(cudaMemcpy(to_device + n * s, t.data(), n * sizeof(void*), cudaMemcpyHostToDevice), "cannot write");
    bench::require(cudaMemcpy(from_device + n * s, f.data(), n * sizeof(void*), cudaMemcpyHostToDevice),
                   "cannot write");
  }
  std::size_t temporary_bytes = 0;
  void* temporary = nullptr;
  const auto count = static_cast<unsigned>(n);
  bench::require(cub::DeviceMemcpy::Batched(nullptr, temporary_bytes, const_cast<const void**>(from_device), to_device,
                                            sizes_device, count),
                 "cub::DeviceMemcpy");
  bench::require(cudaMalloc(&temporary, temporary_bytes), "cannot allocate");
  std::vector<contender> who{{"penstock",
                              [&](cudaStream_t s, int k) {
                                penstock::copy_batched(s, to_device + n * k,
                                                       const_cast<const void**>(from_device) + n * k, sizes_device,
                                                       static_cast<long long>(n));
                              }},
                             {"cub::DeviceMemcpy::Batched", [&](cudaStream_t s, int k) {
                                bench::require(cub::DeviceMemcpy::Batched(temporary, temporary_bytes,
                                                                          const_cast<const void**>(from_device) + n * k,
                                                                          to_device + n * k, sizes_device, count, s),
                                               "cub::DeviceMemcpy");
                              }}};
  const auto times = bench::time_all(nullptr, who, {.samples = quick ? 5 : 11, .sets = sets});
  std::vector<bench::summary> all = times;
#if CUDART_VERSION >= 12080
  // The host prepares each copy: the stream cannot be held while it does, and thousands of them take milliseconds.
  if (n <= 20000) {
    const contender driver{"cudaMemcpyBatchAsync", [&](cudaStream_t s, int k) {
      cudaMemcpyAttributes how{};
      how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
      std::size_t first = 0;
#if CUDART_VERSION >= 13000
      check_batch(cudaMemcpyBatchAsync(to[static_cast<std::size_t>(k)].data(),
                                       const_cast<const void**>(from[static_cast<std::size_t>(k)].data()), sizes.data(),
                                       n, &how, &first, 1, s));
#else
      std::size_t failed = 0;
      check_batch(cudaMemcpyBatchAsync(to[static_cast<std::size_t>(k)].data(), from[static_cast<std::size_t>(k)].data(),
                                       sizes.data(), n, &how, &first, 1, &failed, s));
#endif
    }};
    cudaStream_t stream = nullptr;  // not offered on the default stream
    bench::require(cudaStreamCreate(&stream), "cannot create a stream");
    all.push_back(bench::time_all(stream, {driver}, {.samples = 3, .warm_up = 1, .sets = sets, .sample_us = 0})[0]);
    bench::require(cudaStreamSynchronize(stream), "cudaMemcpyBatchAsync");
    who.push_back({driver.name, [=](cudaStream_t, int k) { driver.go(stream, k); cudaStreamSynchronize(stream); }});
  }
#endif
  unsigned char* reference = m.data() + set * sets;
  const bool room = set * sets + to_bytes <= m.bytes();
  if (room) {
    bench::require(cudaMemset(reference, 0xa5, static_cast<std::size_t>(to_bytes)), "cannot clear");
    std::vector<void*> there;
    for (std::size_t k = 0; k < n; ++k) there.push_back(reference + to_at[k]);
    void** list = nullptr;
    bench::require(cudaMalloc(&list, n * sizeof(void*)), "cannot allocate");
    bench::require(cudaMemcpy(list, there.data(), n * sizeof(void*), cudaMemcpyHostToDevice), "cannot write");
    reference_batch<<<4096, 128>>>(reinterpret_cast<unsigned char**>(list),
                                   reinterpret_cast<unsigned char**>(from_device), sizes_device,
                                   static_cast<long long>(n));
    bench::require(cudaDeviceSynchronize(), "the reference");
    bench::require(cudaFree(list), "cannot free");
  }
  for (std::size_t k = 0; k < who.size(); ++k) {
    bench::require(cudaMemset(m.data(), 0xa5, static_cast<std::size_t>(to_bytes)), "cannot clear");
    who[k].go(nullptr, 0);
    char more[64];
    std::snprintf(more, sizeof more, "%zu buffers, %.1f us", n, all[k].median);
    r.add(c.name, who[k].name, c.size, "TB/s", bench::rate(all[k], 2.0 * static_cast<double>(payload)),
          room && m.equal(m.data(), reference, to_bytes), more);
  }
  for (void* p :
       {static_cast<void*>(to_device), static_cast<void*>(from_device), static_cast<void*>(sizes_device), temporary})
    bench::require(cudaFree(p), "cannot free");
}

std::vector<long long> mixed(std::size_t count, long long most, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<long long> v;
  for (std::size_t k = 0; k < count; ++k) {
    // sizes spread evenly over the powers of two
    const long long top = 1ll << (random() % (std::bit_width(static_cast<unsigned long long>(most))));
    v.push_back(std::min<long long>(most, top + random() % top));
  }
  return v;
}

}  // namespace

int main(int argc, char** argv) {
  const bench::options o = bench::parse(argc, argv, "Rows by index and batches of buffers.");
  bench::report r(o);
  const bench::arena m(6ll << 30);
  gather<4>(r, m, o.quick);
  gather<16>(r, m, o.quick);
  gather<128>(r, m, o.quick);
  gather<512>(r, m, o.quick);
  if (!o.quick) {
    gather<32>(r, m, false);
    gather<64>(r, m, false);
    gather<2048>(r, m, false);
  }
  std::vector<long long> sizes{8, 256, 1024, 2048, 16384, 65536};
  if (!o.quick)
    sizes = {1, 4, 8, 16, 64, 128, 256, 512, 768, 1024, 1280, 1536, 2048, 3072, 4096, 8192, 16384, 32768, 65536};
  for (long long size : sizes) {
    const auto count = static_cast<std::size_t>(std::clamp<long long>((128ll << 20) / size, 1000, 1000000));
    batch(r, m,
          {"batch of equal buffers, aligned", static_cast<double>(size), std::vector<long long>(count, size), 16, 16},
          o.quick);
    if (!o.quick || size == 1024)
      batch(r, m,
            {"batch of equal buffers, any alignment", static_cast<double>(size),
             std::vector<long long>(count, size + 1), 1, 3},
            o.quick);
  }
  batch(r, m, {"batch of 1000 buffers", 65536, std::vector<long long>(1000, 65536), 16, 16}, o.quick);
  batch(r, m, {"batch of 1000 buffers", 4096, std::vector<long long>(1000, 4096), 16, 16}, o.quick);
  batch(r, m, {"batch of mixed sizes, 1 B to 64 KiB", 65536, mixed(20000, 65536, 1), 1, 1}, o.quick);
  batch(r, m, {"batch of mixed sizes, 1 to 8 B", 8, mixed(1000000, 8, 2), 1, 1}, o.quick);
  return r.failed() ? 1 : 0;
}
