// doctest itself, compiled once for all tests.
#define DOCTEST_CONFIG_IMPLEMENT
#include "support/run_doctest.hpp"

#include <doctest/doctest.h>

#include <cstdio>

namespace {

unsigned cases_run = 0;

// doctest calls a run that matched no test case a success.
struct case_counter : doctest::IReporter {
  explicit case_counter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& run) override { cases_run = run.numTestCasesPassingFilters; }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("case_counter", 1, case_counter);

}  // namespace

int run_doctest(int argc, char** argv) {
  doctest::Context context(argc, argv);
  const int status = context.run();
  if (context.shouldExit()) return status;  // a query such as --list-test-cases
  if (cases_run == 0) {
    std::fprintf(stderr, "no test case ran: the executable holds none, or the filters given match none\n");
    return 1;
  }
  return status;
}
