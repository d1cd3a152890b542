// A file's bytes, copied within a GPU's memory (on the host backend: within the host's) by a pipeline of two
// async stages. Any size, any alignment. Prints the speed beside that of cudaMemcpyAsync (memcpy) in the same
// run.
//
//   read ──▶ tile[4] ──▶ write
//   (async)              (async)
//
// line.hpp holds the pipeline, places.hpp where it runs.
#include <cstring>

#include "places.hpp"
#include "support/cli.hpp"
#include "support/file.hpp"
#include "support/pattern.hpp"

namespace penstock::examples {

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
