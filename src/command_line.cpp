#include "command_line.hpp"

#include "explain.hpp"
#include "files.hpp"
#include "input_error.hpp"
#include "lowering_table.hpp"
#include "lowering_text.hpp"
#include "simulate_report.hpp"
#include "trace_report.hpp"
#include "utf8.hpp"

#include <penstock/version.hpp>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <new>
#include <optional>

namespace penstock::command {
namespace {

struct options {
  std::string file{};
  std::string svg{};
  std::string json_file{};
  bool json = false;
  bool latency = false;
  int iterations = 0;
  std::string target{};
  bool uniform = false;
  std::optional<std::uint32_t> block{};
};

constexpr const char* exit_statuses =
    "Exit status: 0 for a sound plan (or a finished job), 1 for a rejected plan, 2 for what cannot be read "
    "or written.";

parsed_plan read_plan(const std::string& path) {
  return parse_plan(read_file(path, most_plan_bytes), shown_path(path));
}

void check_picture_goes_to_a_file(const options& o) {
  if (o.svg == "-") throw input_error("--svg takes a file's name here: standard output carries the report");
}

backend backend_named(std::string_view name) {
  for (backend b : {backend::hopper, backend::ampere, backend::portable})
    if (backend_name(b) == name) return b;
  return backend::host;
}

outcome explain(const options& o) {
  check_picture_goes_to_a_file(o);
  const parsed_plan p = read_plan(o.file);
  const analysis a = analyse(p, o.latency);
  std::string report = o.json ? explain_json(p, a) : explain_text(p, a);
  if (a.ok() && !o.target.empty()) report += lowering_text(p, shown_path(o.file), backend_named(o.target), o.uniform);
  if (!o.svg.empty()) write_file(o.svg, graph_svg(p, a));
  return {a.ok() ? sound : rejected, std::move(report), ""};
}

outcome simulate_plan(const options& o) {
  check_picture_goes_to_a_file(o);
  parsed_plan p = read_plan(o.file);
  const bool assumed = takes_no_time(p.value);
  if (assumed) give_unit_times(p.value);
  const analysis a = analyse(p, true);
  if (!a.ok()) return {rejected, explain_text(p, a), ""};
  const simulation s = simulate(p.value, a.guards, o.iterations);
  if (!o.svg.empty()) write_file(o.svg, timeline_svg(timeline_of(p.value, a.guards, s)));
  return {sound, simulation_text(p.value, a, s, assumed), ""};
}

outcome show_trace(const options& o) {
  const recorded_trace t = read_trace(read_file(o.file, most_trace_bytes), shown_path(o.file));
  if (o.json_file.empty() && o.svg.empty()) return {sound, trace_text(t), ""};
  const std::string& target = o.svg.empty() ? o.json_file : o.svg;
  std::string contents = o.svg.empty() ? trace_json(t) : timeline_svg(trace_timeline(t, o.block));
  if (target == "-") return {sound, std::move(contents), ""};
  write_file(target, contents);
  return {};
}

CLI::App* add_explain(CLI::App& app, options& o) {
  CLI::App* const c = app.add_subcommand("explain", "Judge a plan and say where it has to wait, and why");
  c->add_option("PLAN.json", o.file, "The plan, or - for standard input")->type_name("")->required();
  CLI::Option* const json =
      c->add_flag("--json", o.json, "One JSON object: ok, guards, implied, min_depth, drain, problems, period_ns");
  c->add_option("--svg", o.svg, "Also draw the graph of stages, buffers and guards")->type_name("FILE");
  c->add_flag("--latency", o.latency,
              "The steady period, what bounds it and the depth that would lift it; shown anyway where a "
              "stage gives times");
  CLI::Option* const lowered =
      c->add_option("--lower", o.target, "Also the steps and instructions of each agent on that backend")
          ->type_name("BACKEND")
          ->check(CLI::IsMember({"hopper", "ampere", "portable", "host"}))
          ->excludes(json);
  c->add_flag("--uniform", o.uniform, "Lowered with one agent of all warps, not one for each role")->needs(lowered);
  c->footer(
      fmt::format("{}\n--lower takes plans of at most {} stages, {} buffers, {} slots a buffer and {} hazards.\n{}",
                  describe_limits(), most_lowered_stages, most_lowered_buffers, most_lowered_depth,
                  most_lowered_hazards, exit_statuses));
  return c;
}

CLI::App* add_simulate(CLI::App& app, options& o) {
  CLI::App* const c = app.add_subcommand("simulate", "Draw the timeline that the stages' issue and latency give");
  c->add_option("PLAN.json", o.file, "The plan, or - for standard input")->type_name("")->required();
  c->add_option("--iterations", o.iterations, fmt::format("How many, 1 to {}", most_iterations))
      ->type_name("N")
      ->required()
      ->check(CLI::Range(1, most_iterations));
  c->add_option("--svg", o.svg, "Also draw the timeline as a picture")->type_name("FILE");
  c->footer(
      "A stage occupies its agent for `issue` and completes `latency` after its issue; a sync stage occupies "
      "its agent\n"
      "until it completes, for the longer of the two. Where no stage states either, 1 ns is taken for both.\n"
      "Of long runs the head and the tail are drawn.\n" +
      describe_limits() + "\n" + exit_statuses);
  return c;
}

CLI::App* add_trace(CLI::App& app, options& o) {
  CLI::App* const c =
      app.add_subcommand("trace", "Turn a recorded trace into figures, JSON for a trace viewer, or a picture");
  c->add_option("FILE", o.file, "The recorded trace (penstock/check/trace_format.hpp), or - for standard input")
      ->type_name("")
      ->required();
  CLI::Option* const json =
      c->add_option("--json", o.json_file,
                    "Write Trace Event JSON, for ui.perfetto.dev or chrome://tracing; - for standard output")
          ->type_name("OUT");
  CLI::Option* const svg = c->add_option("--svg", o.svg, "Draw one block; - for standard output")->type_name("OUT");
  svg->excludes(json);
  c->add_option("--block", o.block, "The block that --svg draws; without it the first that worked")
      ->type_name("N")
      ->needs(svg);
  c->footer(
      fmt::format("Limits: a trace has at most {} bytes. With neither --json nor --svg the means of each "
                  "stage are printed.\n{}",
                  most_trace_bytes, exit_statuses));
  return c;
}

outcome refuse(std::string_view sentence) { return {unreadable, "", "penstock: " + printable(sentence, 1000)}; }

}  // namespace

outcome run_command(const std::vector<std::string>& arguments, machine (*examine)()) {
  options o;
  CLI::App app("Judges, explains, simulates and traces multistage asynchronous pipelines.", "penstock");
  app.set_version_flag("--version", fmt::format("penstock {}.{}.{}", version_major, version_minor, version_patch));
  app.require_subcommand(1);
  app.get_formatter()->column_width(24);
  app.footer(
      fmt::format("{}\n{}\nEach command has its own --help, with further limits.", describe_limits(), exit_statuses));
  CLI::App* const explains = add_explain(app, o);
  CLI::App* const simulates = add_simulate(app, o);
  CLI::App* const traces = add_trace(app, o);
  CLI::App* const doctors = app.add_subcommand(
      "doctor", "List the devices, the backend each would use, and whether this build holds code for it");
  doctors->footer("Exit status: 0, with and without a GPU.");
  try {
    std::vector<std::string> reversed(arguments.rbegin(),
                                      arguments.rend());  // the order that the library wants
    app.parse(reversed);
    if (*explains) return explain(o);
    if (*simulates) return simulate_plan(o);
    if (*traces) return show_trace(o);
    return {sound, *doctors ? doctor_text(examine()) : "", ""};
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    return {sound, chosen.empty() ? app.help() : chosen[0]->help("penstock"), ""};
  } catch (const CLI::CallForVersion& e) {
    return {sound, std::string(e.what()) + "\n", ""};
  } catch (const CLI::RequiredError& e) {
    if (!app.get_subcommands().empty()) return refuse(fmt::format("{}; see penstock --help", e.what()));
    return refuse(fmt::format("{}; the commands are explain, simulate, doctor and trace",
                              arguments.empty() ? "no command given" : "no command named " + arguments[0]));
  } catch (const CLI::ParseError& e) {
    return refuse(fmt::format("{}; see penstock --help", e.what()));
  } catch (const input_error& e) {
    return refuse(e.what());
  } catch (const std::bad_alloc&) {
    return refuse("out of memory");
  }
}

}  // namespace penstock::command
