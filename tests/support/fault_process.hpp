// A fault that ends a kernel takes its process's context along. So each has a process of its own: this program once
// more, for the one test case "fault N", which is skipped otherwise and passes where the kernel fails.
#pragma once

#include <doctest/doctest.h>

#include <unistd.h>

#include <cstdio>
#include <string>

inline void must_say(int fault, const char* sentence) {
  char command[128], said[512] = {};
  std::snprintf(command, sizeof command, "/proc/%d/exe --no-skip -tc='fault %d' 2>&1", static_cast<int>(getpid()),
                fault);
  std::FILE* output = popen(command, "r");
  REQUIRE(output != nullptr);
  std::string all;
  while (std::fgets(said, sizeof said, output) != nullptr) all += said;
  INFO(all);
  CHECK(pclose(output) == 0);
  CHECK(all.find(sentence) != std::string::npos);
}
