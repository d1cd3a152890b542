// The guards of known pipelines, against a file that a reader can check by hand.
#include "plan/plan_text.hpp"

#include <penstock/plan/problems.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

using penstock::guard;
using plan_text::any_plan;

// Later instances of g.on that its waiter's agent has issued by the time that it waits.
int left_in_flight(const any_plan& p, const guard& g) {
  const auto& waiter = p.stages[g.waiter];
  const auto& on = p.stages[g.on];
  const bool issued_later = on.order != waiter.order ? on.order > waiter.order : g.on >= g.waiter;
  return g.distance + waiter.skew - on.skew - (issued_later ? 1 : 0);
}

std::string derived(const any_plan& p) {
  std::ostringstream out;
  for (const auto& problem : penstock::find_problems<4>(p)) out << "  problem: " << problem.message.view() << "\n";
  if (!out.str().empty()) return out.str();
  const auto guards = penstock::derive_guards<256>(p);
  for (const guard& g : guards.needed) {
    out << "  " << plan_text::describe(p, g);
    if (p.stages[g.waiter].agent == p.stages[g.on].agent) out << ", " << left_in_flight(p, g) << " in flight";
    out << "\n";
  }
  if (guards.needed.empty()) out << "  nobody waits\n";
  std::string drained;
  for (int s = 0; s < p.stages.size(); ++s)
    if (penstock::needs_drain(p, guards, s)) drained += " " + std::string(p.stages[s].name);
  if (!drained.empty()) out << "  drain" << drained << "\n";
  return out.str();
}

// Keeps comments and plans, and writes what is derived from each plan after it.
std::string derive_anew(std::istream& golden) {
  std::ostringstream out;
  any_plan p;
  const auto finish = [&] {
    if (p.stages.empty()) return;
    REQUIRE(penstock::count_candidates(p) <= 256);
    out << derived(p) << "\n";
    p = {};
  };
  for (std::string line; std::getline(golden, line);) {
    const bool is_plan = plan_text::parse_line(p, line);
    if (is_plan || line.starts_with("case ")) {
      out << line << "\n";
    } else if (line.starts_with("#")) {
      out << line << "\n";
    } else if (line.empty()) {
      if (p.stages.empty()) out << "\n";
      finish();
    }
  }
  finish();
  std::string text = out.str();
  if (text.ends_with("\n\n")) text.pop_back();
  return text;
}

}  // namespace

TEST_CASE("known pipelines get the guards of the golden file") {
  const std::filesystem::path path = std::filesystem::path(PENSTOCK_TEST_FOLDER) / "plan/golden/guards.txt";
  std::ifstream file(path);
  REQUIRE(file);
  std::stringstream golden;
  golden << file.rdbuf();
  const std::string now = derive_anew(golden);
  if (std::getenv("PENSTOCK_UPDATE_GOLDEN")) std::ofstream(path) << now;
  std::istringstream expected(golden.str()), found(now);
  std::string title;
  for (std::string want, have; std::getline(expected, want) && std::getline(found, have);) {
    if (want.starts_with("case ")) title = want;
    CAPTURE(title);
    REQUIRE(have == want);
  }
  CHECK(now == golden.str());
}
