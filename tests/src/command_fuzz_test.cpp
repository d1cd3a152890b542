// Damaged plans by the thousand: each is judged or refused in one line with its place, in this process and in
// the program.
#include "command_line.hpp"

#include "plan/random_plan.hpp"
#include "src/plans.hpp"
#include "src/process.hpp"
#include "src/xml.hpp"
#include "support/properties.hpp"

#include <penstock/plan/json.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

using namespace penstock::command;
using process::scratch_file;

machine penstock::command::examine_machine() { return {}; }

namespace {

using random_plan::pick;

std::string any_plan() {
  if (pick(0, 3) == 0) return penstock::plan_json(*random_plan::with_any_accesses());
  return *rc::gen::element(plans::stencil, plans::axpy, plans::three_stages(2, true, true, true));
}

const std::vector<std::string>& tokens() {
  static const std::vector<std::string> all{"0",
                                            "-1",
                                            "65536",
                                            "65537",
                                            "4294967296",
                                            "9223372036854775807",
                                            "-9223372036854775808",
                                            "18446744073709551616",
                                            "1e9",
                                            "1e400",
                                            "-0",
                                            "0.5",
                                            "01",
                                            "+1",
                                            "NaN",
                                            "Infinity",
                                            "null",
                                            "true",
                                            "false",
                                            "{}",
                                            "[]",
                                            "[[]]",
                                            "\"\"",
                                            "\"in\"",
                                            "\"sync\"",
                                            "\"\\u0000\"",
                                            "\"\\ud800\"",
                                            "\"\xff\"",
                                            "\"\\n\"",
                                            "\"\xf0\x9f\x90\x99\"",
                                            ",",
                                            ":",
                                            "{",
                                            "}",
                                            "[",
                                            "]",
                                            "\"",
                                            "\\",
                                            "\n",
                                            "\0",
                                            "\"depth\":1,",
                                            "\"name\":\"a\",",
                                            "\"window\":[0,0]",
                                            "/**/",
                                            "\xef\xbb\xbf",
                                            "[-64,64]",
                                            "[1,-1]",
                                            "4097"};
  return all;
}

// One place of the text changed, as a slip of the pen or a broken disk would.
void damage(std::string& s) {
  const auto at = [&] { return *rc::gen::inRange<std::size_t>(0, s.size() + 1); };
  const std::size_t from = at(), length = std::min(s.size() - from, *rc::gen::inRange<std::size_t>(0, 12));
  switch (pick(0, 6)) {
    case 0:
      s.erase(from, length);
      break;
    case 1:
      s.insert(from, *rc::gen::elementOf(tokens()));
      break;
    case 2:
      s.insert(from, s.substr(at() % (s.size() + 1), *rc::gen::inRange<std::size_t>(0, 40)));
      break;
    case 3:
      if (from < s.size()) s[from] = static_cast<char>(pick(0, 256));
      break;
    case 4:
      s.resize(from);
      break;
    default: {
      // a whole value by another: what stays well-formed gets past the parser
      static const std::regex value(R"(-?\d+|"[a-z ]*"|\[[-\d,]*\])");
      std::vector<std::pair<std::size_t, std::size_t>> found;
      for (std::sregex_iterator m(s.begin(), s.end(), value), end; m != end; ++m)
        found.emplace_back(m->position(), m->length());
      if (found.empty()) return;
      const auto [position, size] = *rc::gen::elementOf(found);
      s.replace(position, size, *rc::gen::elementOf(tokens()));
    }
  }
}

std::string damaged_plan() {
  std::string s = any_plan();
  for (int k = *rc::gen::weightedElement<int>({{6, 1}, {2, 2}, {1, 5}}); k > 0; --k) damage(s);
  return s;
}

const std::vector<std::vector<std::string>>& uses() {
  static const std::vector<std::vector<std::string>> all{{"explain"},
                                                         {"explain", "--json"},
                                                         {"explain", "--json", "--latency"},
                                                         {"explain", "--latency"},
                                                         {"explain", "--lower", "hopper"},
                                                         {"explain", "--lower", "ampere"},
                                                         {"simulate", "--iterations", "7"}};
  return all;
}

// Holds for every input there is.
void check_answer(const std::vector<std::string>& use, int status, const std::string& out, const std::string& error) {
  RC_ASSERT(status == 0 || status == 1 || status == 2);
  if (status != 2) {
    RC_ASSERT(error.empty());
    RC_ASSERT(!out.empty());
    if (use.size() < 2 || use[1] != "--json") return;
    const auto report = nlohmann::json::parse(out);
    RC_ASSERT(report["ok"] == (status == 0));
    RC_ASSERT(report["problems"].empty() == (status == 0));
    return;
  }
  RC_ASSERT(out.empty());
  static const std::regex line(R"(penstock: [^\n]*: (\d+:\d+|(/[^ /]*)+): [^\n]+)");
  RC_ASSERT(std::regex_match(error, line));
}

}  // namespace

TEST_CASE("damaged plans, in this process") {
  int statuses[3]{};
  CHECK(properties::check(6000, "damaged plans", [&] {
    const scratch_file plan(damaged_plan()), picture;
    std::vector<std::string> use = *rc::gen::elementOf(uses());
    const outcome o = [&] {
      std::vector<std::string> arguments = use;
      arguments.push_back(plan.path());
      if (pick(0, 2) == 0) {
        arguments.push_back("--svg");
        arguments.push_back(picture.path());
      }
      return run_command(arguments);
    }();
    check_answer(use, o.status, o.output, o.error);
    const std::string drawn = picture.contents();
    RC_ASSERT(drawn.empty() || xml::fault_in(drawn) == "");
    ++statuses[o.status];
  }));
  // the damage reaches every depth of the program
  CHECK(properties::reached(statuses[0], 100));
  CHECK(properties::reached(statuses[1], 100));
  CHECK(properties::reached(statuses[2], 1000));
}

TEST_CASE("bytes that never were a plan") {
  CHECK(properties::check(1000, "arbitrary bytes", [] {
    std::string bytes;
    for (int k = pick(0, 40); k > 0; --k)
      bytes += pick(0, 2) == 0 ? *rc::gen::elementOf(tokens()) : std::string(1, static_cast<char>(pick(0, 256)));
    const outcome o = run_command({"explain", scratch_file(bytes).path()});
    check_answer({"explain"}, o.status, o.output, o.error);
  }));
}

TEST_CASE("damaged plans, through the program's own standard input") {
  const char* const program = std::getenv("PENSTOCK_COMMAND");
  REQUIRE(program != nullptr);
  CHECK(properties::check(400, "damaged plans on standard input", [&] {
    std::vector<std::string> use = *rc::gen::elementOf(uses());
    std::vector<std::string> arguments = use;
    arguments.push_back("-");
    const process::result r = process::run(program, arguments, damaged_plan());
    const bool one_line = r.status != 2 || (!r.error.empty() && r.error.find('\n') == r.error.size() - 1);
    RC_ASSERT(one_line);
    check_answer(use, r.status, r.out, r.status == 2 ? r.error.substr(0, r.error.size() - 1) : r.error);
  }));
}

TEST_CASE("the program itself") {
  const char* const program = std::getenv("PENSTOCK_COMMAND");
  REQUIRE(program != nullptr);
  CHECK(process::run(program, {"--version"}).out == "penstock " PENSTOCK_TEST_PROJECT_VERSION "\n");
  const process::result doctor = process::run(program, {"doctor"});
  CHECK(doctor.status == 0);
  CHECK(doctor.error.empty());
  CHECK(doctor.out.starts_with("penstock " PENSTOCK_TEST_PROJECT_VERSION "\n"));
  CHECK(process::run(program, {"explain", "-"}, plans::stencil).status == 0);
  const process::result full = process::run("/bin/sh", {"-c", std::string(program) + " doctor > /dev/full"});
  CHECK(full.status == 2);
  CHECK(full.error == "penstock: cannot write to standard output: No space left on device\n");
}
