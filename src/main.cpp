#include "command_line.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  using namespace penstock::command;
  outcome done = run_command({argv + (argc > 0 ? 1 : 0), argv + argc});
  const std::string& out = done.output;
  if (std::fwrite(out.data(), 1, out.size(), stdout) != out.size() || std::fflush(stdout) != 0)
    done = {unreadable, "", std::string("penstock: cannot write to standard output: ") + std::strerror(errno)};
  if (!done.error.empty()) std::fprintf(stderr, "%s\n", done.error.c_str());
  return done.status;
}
