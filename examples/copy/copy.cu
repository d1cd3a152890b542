// A file's bytes, copied within a GPU's memory (on the host backend: within the host's) by a pipeline of two
// async stages. Any size, any alignment. Prints the speed beside that of cudaMemcpyAsync (memcpy) in the same
// run.
//
//   read ──▶ tile[4] ──▶ write
//   (async)              (async)
#include <algorithm>
#include <cstring>
#include <vector>

#include "support/cli.hpp"
#include "support/file.hpp"
#include "support/gpu.hpp"
#include "support/pattern.hpp"

namespace penstock::examples {

constexpr long long tile_bytes = 8192;
// Short-lived blocks, in order of address: what the whole GPU touches at a time stays close together.
constexpr long long tiles_a_block = 8;

// clang-format off
using copy_line = pipeline<
    buffer<"tile", std::byte[tile_bytes], depth<4>>,
    stage<"read", async, writes<"tile">>,
    stage<"write", async, reads<"tile">>>;
// clang-format on

struct job {
  const std::byte* source;
  std::byte* target;
  long long bytes;

  // Tiles start where the target's address is a multiple of 16, so that only the first and the last are
  // ragged.
  PENSTOCK_HD long long lead() const {
    return static_cast<long long>(reinterpret_cast<std::uintptr_t>(target) % 16);
  }
  PENSTOCK_HD long long tiles() const {
    return bytes > 0 ? (lead() + bytes + tile_bytes - 1) / tile_bytes : 0;
  }
  PENSTOCK_HD long long blocks() const { return (tiles() + tiles_a_block - 1) / tiles_a_block; }
};

template <class... Options>
PENSTOCK_HD void copy_block(const job& j, long long b) {
  const long long first = b * tiles_a_block, left = j.tiles() - first;
  const auto begin = [&](long long i) {
    const long long at = (first + i) * tile_bytes - j.lead();
    return at > 0 ? at : 0;
  };
  const auto size = [&](long long i) { return (begin(i + 1) < j.bytes ? begin(i + 1) : j.bytes) - begin(i); };
  // clang-format off
  run<copy_line, Options...>(left < tiles_a_block ? left : tiles_a_block,
      on<"read">([&](long long i) { return from(j.source + begin(i), size(i)); }),
      on<"write">([&](long long i) { return to(j.target + begin(i), size(i)); }));
  // clang-format on
}

double median(std::vector<double> seconds) {
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<long>(seconds.size() / 2), seconds.end());
  return seconds[seconds.size() / 2];
}

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

times copy_on_host(std::span<const std::byte> source, std::span<std::byte> target, offsets at,
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

times copy_at([[maybe_unused]] const place& here, std::span<const std::byte> source,
              std::span<std::byte> target, offsets at, std::uint64_t repeats) {
#if defined(__CUDACC__)
  if (!here.on_host())
    return below(here.backend,
                 [&](auto ceiling) { return copy_on_gpu<decltype(ceiling)>(source, target, at, repeats); });
#endif
  return copy_on_host(source, target, at, repeats);
}

file_bytes generated(std::uint64_t bytes) {
  file_bytes made{std::make_unique_for_overwrite<std::byte[]>(bytes), bytes};
  fill_coded<unsigned char>({reinterpret_cast<unsigned char*>(made.data.get()), bytes}, 1);
  return made;
}

struct options {
  common_options common;
  std::string input, output;
  std::uint64_t bytes = 256ull << 20;
  offsets at;
  std::uint64_t repeats = 11;
};

int copy(const options& given) {
  const place here = choose_place(given.common.backend, given.common.device);
  if (!given.output.empty()) require_writable(given.output);
  const file_bytes source = given.input.empty() ? generated(given.bytes) : read_file(given.input);
  const file_bytes target{std::make_unique_for_overwrite<std::byte[]>(source.size), source.size};
  const times t = copy_at(here, source.view(), {target.data.get(), source.size}, given.at, given.repeats);
  const bool equal = source.size == 0 || std::memcmp(source.data.get(), target.data.get(), source.size) == 0;
  if (given.common.verify && !equal) throw std::runtime_error("the copy differs from its source");
  if (!given.output.empty()) write_file(given.output, target.view());

  const double moved = 2e-9 * static_cast<double>(source.size);  // read and written
  std::printf("copied %llu bytes on %s, %s backend\n", static_cast<unsigned long long>(source.size),
              here.name.c_str(), to_string(here.backend));
  std::printf("  penstock         %9.1f GB/s\n", moved / t.pipeline);
  std::printf("  %-16s %9.1f GB/s\n", here.on_host() ? "memcpy" : "cudaMemcpyAsync", moved / t.library);
  if (given.common.verify) std::printf("verified: every byte equals its source\n");
  return 0;
}

}  // namespace penstock::examples

int main(int argc, char** argv) {
  using namespace penstock::examples;
  CLI::App app{"Copies bytes within a GPU's memory through a penstock pipeline"};
  options given;
  auto* file = app.add_option("file", given.input, "whose bytes to copy; without it they are generated")
                   ->type_name("FILE");
  app.add_option("--output", given.output, "write the copied bytes to this file")->type_name("FILE");
  add_byte_size(app, "--bytes", given.bytes, "how many bytes to generate")->excludes(file);
  add_count(app, "--source-offset", given.at.source, 0, 255,
            "bytes between an aligned address and the source");
  add_count(app, "--target-offset", given.at.target, 0, 255,
            "bytes between an aligned address and the target");
  add_count(app, "--repeats", given.repeats, 1, 1'000'000, "how often to time the copy; the median counts");
  add_common_options(app, given.common);
  return run_main(app, argc, argv, [&] { return copy(given); });
}
