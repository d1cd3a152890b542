// The copy on a GPU and on the host, in turns with what one would call instead.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "line.hpp"
#include "support/gpu.hpp"

namespace penstock::examples {

struct times {
  double pipeline = 0;
  double library = 0;
};

// The two in turns, so that neither has the better clocks; the median of each.
template <class Pipeline, class Library>
times compare_speed(std::uint64_t repeats, Pipeline pipeline, Library library) {
  std::vector<double> ours, theirs;
  for (std::uint64_t k = 0; k < repeats; ++k) {
    theirs.push_back(library());
    ours.push_back(pipeline());
  }
  return {median(ours), median(theirs)};
}

// Where the arrays lie past an address that is a multiple of 256.
struct offsets {
  std::uint64_t source = 0;
  std::uint64_t target = 0;
};

#if defined(__CUDACC__)

template <class... Options>
__global__ void copy_kernel(job j) {
  copy_block<Options...>(j, blockIdx.x);
}

template <class... Options>
times copy_on_gpu(std::span<const std::byte> source, std::span<std::byte> target, offsets at,
                  std::uint64_t repeats) {
  const std::size_t bytes = source.size();
  const gpu_array<std::byte> from(at.source + bytes), to(at.target + bytes);
  const job j{from.data() + at.source, to.data() + at.target, static_cast<long long>(bytes)};
  require_cuda(cudaMemcpy(from.data() + at.source, source.data(), bytes, cudaMemcpyHostToDevice),
               "cannot copy to the GPU");
  const auto through_pipeline = [&] {
    if (j.blocks() == 0) return;
    if (j.blocks() > 0x7fffffff) refuse(std::errc::value_too_large, "more bytes than one launch can copy");
    launch<copy_line, Options...>(nullptr, static_cast<unsigned>(j.blocks()), copy_kernel<Options...>, j);
  };
  gpu_clock clock;
  const auto pipeline = [&] {
    clock.start();
    through_pipeline();
    return clock.stop();
  };
  const auto library = [&] {
    clock.start();
    require_cuda(cudaMemcpyAsync(j.target, j.source, bytes, cudaMemcpyDeviceToDevice), "cannot copy on the GPU");
    return clock.stop();
  };
  compare_speed(3, pipeline, library);  // the first launches pay for loading code and raising clocks
  const times measured = compare_speed(repeats, pipeline, library);

  require_cuda(cudaMemset(j.target, 0xa5, bytes),
               "cannot clear the target");  // nothing but the pipeline's copy shall be left
  through_pipeline();
  require_cuda(cudaMemcpy(target.data(), j.target, bytes, cudaMemcpyDeviceToHost), "cannot copy from the GPU");
  return measured;
}

#endif

inline times copy_on_host(std::span<const std::byte> source, std::span<std::byte> target, offsets at,
                   std::uint64_t repeats) {
  const std::size_t bytes = source.size();
  std::vector<std::byte> from(at.source + bytes), to(at.target + bytes);
  const job j{from.data() + at.source, to.data() + at.target, static_cast<long long>(bytes)};
  std::copy(source.begin(), source.end(), from.begin() + static_cast<long>(at.source));
  const auto pipeline = [&] {
    return seconds_of([&] { in_parallel(j.blocks(), [&](long long b) { copy_block<sequential>(j, b); }); });
  };
  const auto library = [&] {
    return seconds_of([&] {
      if (bytes > 0) std::memcpy(j.target, j.source, bytes);
    });
  };
  const times measured = compare_speed(repeats, pipeline, library);
  std::fill(to.begin(), to.end(), std::byte{0xa5});
  pipeline();
  std::copy_n(to.begin() + static_cast<long>(at.target), bytes, target.begin());
  return measured;
}

inline times copy_at([[maybe_unused]] const place& here, std::span<const std::byte> source,
              std::span<std::byte> target, offsets at, std::uint64_t repeats) {
#if defined(__CUDACC__)
  if (!here.on_host())
    return below(here.backend,
                 [&](auto ceiling) { return copy_on_gpu<decltype(ceiling)>(source, target, at, repeats); });
#endif
  return copy_on_host(source, target, at, repeats);
}

}  // namespace penstock::examples
