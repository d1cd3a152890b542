// The headers' version is the project's, and the preprocessor and the constants agree on it.
#include <penstock/version.hpp>

#include <doctest/doctest.h>

#include <string>

TEST_CASE("the headers carry the project's version") {
  const std::string version = std::to_string(penstock::version_major) + "." +
                              std::to_string(penstock::version_minor) + "." +
                              std::to_string(penstock::version_patch);
  CHECK(version == PENSTOCK_TEST_PROJECT_VERSION);
}

TEST_CASE("one number orders versions as their parts do") {
  static_assert(PENSTOCK_VERSION == penstock::version);
  CHECK(penstock::version / 10000 == penstock::version_major);
  CHECK(penstock::version / 100 % 100 == penstock::version_minor);
  CHECK(penstock::version % 100 == penstock::version_patch);
}
