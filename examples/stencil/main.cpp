// The stencil's command line: what to simulate, where the cells come from and go to, and what to report.
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "report.hpp"
#include "shape.hpp"
#include "support/cli.hpp"
#include "support/npy.hpp"

namespace penstock::examples {
namespace {

struct options {
  common_options common;
  std::uint64_t size = 256;
  std::uint64_t steps = 100;
  std::optional<grid> shape;
  std::optional<npy_type> type;
  std::string input, output, png;
};

const char* name_of(npy_type type) { return type == npy_type::f32 ? "f32" : "f64"; }

template <class T>
int solve(const options& given, const place& here, const grid& g, npy_reader* input) {
  const auto count = static_cast<std::size_t>(g.cells());
  const auto cells = std::make_unique_for_overwrite<T[]>(count);
  const std::span<T> all{cells.get(), count};
  if (input != nullptr)
    input->read(all);
  else
    fill_hot_spot<T>(all,
                     {static_cast<std::uint64_t>(g.planes), static_cast<std::uint64_t>(g.rows),
                      static_cast<std::uint64_t>(g.columns)},
                     T(100));
  std::vector<T> start = given.common.verify ? std::vector<T>(all.begin(), all.end()) : std::vector<T>();
  const std::vector<T> before = given.png.empty() ? std::vector<T>() : middle_slice<T>(g, all);

  const comparison_run<T> run = simulate(here, g, given.steps, all);

  fmt::print("{} steps of {}-D heat diffusion, {} cells, {}\n", given.steps, g.axes, words(g),
             sizeof(T) == 4 ? "f32" : "f64");
  fmt::print("on {}, {} backend\n", here.name, to_string(here.backend));
  if (given.steps > 0) {
    const double work = static_cast<double>(given.steps) * static_cast<double>(count);
    report_speed("penstock", work, run.pipeline.seconds);
    if (!here.on_host()) report_speed("plain kernel", work, run.plain.seconds);
    fmt::print("the last step changed no cell by more than {:.6g}\n", run.pipeline.residual);
  }
  if (given.common.verify) verify<T>(g, given.steps, start, all, run, here);
  if (!given.output.empty()) write_npy(given.output, shape_of(g), std::span<const T>(all));
  if (!given.png.empty()) draw(given.png, g, before, middle_slice<T>(g, all));
  return 0;
}

int run(const options& given) {
  std::optional<npy_reader> input;
  grid g = given.shape.value_or(grid{3, static_cast<long long>(given.size),
                                     static_cast<long long>(given.size), static_cast<long long>(given.size)});
  npy_type type = given.type.value_or(npy_type::f32);
  if (!given.input.empty()) {
    input.emplace(given.input);
    const npy_header& header = input->header();
    const auto shape = grid_of(header.shape);
    if (!shape)
      throw std::runtime_error(fmt::format("'{}' holds an array of shape ({}), allowed are {}", given.input,
                                           fmt::join(header.shape, ", "), grids_allowed));
    if (given.type && *given.type != header.type)
      throw std::runtime_error(fmt::format("--type: '{}' given, but '{}' holds {}", name_of(*given.type),
                                           given.input, name_of(header.type)));
    g = *shape;
    type = header.type;
  }
  for (const std::string& path : {given.output, given.png})
    if (!path.empty()) require_writable(path);
  const place here = find_place(given.common.backend, given.common.device);
  npy_reader* const file = input ? &*input : nullptr;
  return type == npy_type::f32 ? solve<float>(given, here, g, file) : solve<double>(given, here, g, file);
}

}  // namespace
}  // namespace penstock::examples

int main(int argc, char** argv) {
  using namespace penstock::examples;
  CLI::App app{"Diffuses heat through a 2-D or 3-D grid whose faces keep their temperature"};
  options given;
  auto* size = add_count(app, "--size", given.size, 1, 10321, "cells of a cube along each axis");
  auto* shape = app.add_option_function<std::string>(
                       "--shape", [&](const std::string& text) { given.shape = parse_shape(text); },
                       "cells along each axis, slowest first: two or three, with commas between")
                    ->type_name("Z,Y,X");
  add_count(app, "--steps", given.steps, 0, 100'000'000, "time steps");
  app.add_option_function<std::string>(
         "--type",
         [&](const std::string& text) {
           if (text != "f32" && text != "f64")
             throw CLI::ValidationError("--type", fmt::format("'{}' given, allowed are f32 and f64", text));
           given.type = text == "f32" ? npy_type::f32 : npy_type::f64;
         },
         "of a cell; that of the input file where there is one")
      ->type_name("f32|f64");
  auto* input = app.add_option("--input", given.input, "start from this .npy array instead of a hot spot")
                    ->type_name("FILE");
  app.add_option("--output", given.output, "write the cells to this .npy file")->type_name("FILE");
  app.add_option("--png", given.png, "draw the middle slice before and after to this file")
      ->type_name("FILE");
  size->excludes(shape);
  input->excludes(size)->excludes(shape);
  add_common_options(app, given.common);
  return run_main(app, argc, argv, [&] { return run(given); });
}
