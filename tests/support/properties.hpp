// Properties checked on random values, by rapidcheck, with a failure shrunk to a small one.
#pragma once

#include "support/address_sanitizer.hpp"

#include <rapidcheck.h>
#include <rapidcheck/detail/TestListenerAdapter.h>

#include <iostream>
#include <string>

namespace properties {

// By this many fewer runs hold properties of plans under a sanitizer, which takes so many times as long: it looks at
// the code, and a few plans reach all of it.
inline constexpr int share = asan::present ? 15 : 1;

// False where the environment says how many runs there are.
inline bool runs_as_usual() {
  return rc::detail::configuration().testParams.maxSuccess == rc::detail::TestParams().maxSuccess;
}

// Did so many of the runs come to something? Of another number of runs than usual, nobody knows how many should.
inline bool reached(long long count, long long wanted) { return count >= wanted || !runs_as_usual(); }

// Prints the seed; RC_PARAMS="seed=N" in the environment repeats a run, and "max_success=N" makes it shorter or longer.
template <class Property>
bool check(int runs, const char* what, Property&& property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  if (runs_as_usual()) params.maxSuccess = runs;
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = what;
  const auto result = rc::detail::checkTestable(property, metadata, params);
  std::cerr << "- " << what << ", seed " << params.seed << ": ";
  rc::detail::printResultMessage(result, std::cerr);
  std::cerr << std::endl;
  return result.template is<rc::detail::SuccessResult>();
}

// What a property that is false is reported to fail for, after shrinking; nothing if no failure is found. Where
// shrinking ends is a matter of where it began: the same seed, the same end.
template <class Property>
std::string smallest_failure(unsigned seed, int runs, const char* what, Property&& property) {
  rc::detail::TestParams params;
  params.seed = seed;
  params.maxSuccess = runs;
  rc::detail::TestListenerAdapter silent;  // or the failure would be reported as one of the program
  rc::detail::TestMetadata metadata;
  metadata.id = metadata.description = what;
  const auto result = rc::detail::checkTestable(property, metadata, params, silent);
  std::string values;
  if (!result.template is<rc::detail::FailureResult>()) return values;
  for (const auto& [type, value] : result.template get<rc::detail::FailureResult>().counterExample) values += value;
  return values;
}

}  // namespace properties
