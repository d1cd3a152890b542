// Runs a program as a user would: arguments, standard input from bytes, both outputs caught; one that hangs is ended.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

extern char** environ;

namespace process {

struct result {
  int status = -1;  // of exit; -signal where one ended it
  std::string out, error;
};

// A file that is gone when it goes out of scope.
class scratch_file {
 public:
  explicit scratch_file(const std::string& contents = "") {
    const int descriptor = mkstemp(path_.data());
    if (descriptor < 0 || write(descriptor, contents.data(), contents.size()) != static_cast<ssize_t>(contents.size()))
      throw std::runtime_error("cannot write " + path_);
    close(descriptor);
  }
  ~scratch_file() { std::remove(path_.c_str()); }
  scratch_file(const scratch_file&) = delete;
  scratch_file& operator=(const scratch_file&) = delete;
  const std::string& path() const { return path_; }
  std::string contents() const {
    std::string out;
    if (std::FILE* f = std::fopen(path_.c_str(), "rb")) {
      for (int c; (c = std::fgetc(f)) != EOF;) out += static_cast<char>(c);
      std::fclose(f);
    }
    return out;
  }

 private:
  std::string path_ = "/tmp/penstock_test_XXXXXX";
};

inline result run(const std::string& program, const std::vector<std::string>& arguments,
                  const std::string& input = "") {
  constexpr int seconds = 120;  // less than a test has, far more than any machine needs
  const scratch_file in(input), out, error;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, in.path().c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.path().c_str(), O_WRONLY | O_TRUNC, 0);
  posix_spawn_file_actions_addopen(&actions, 2, error.path().c_str(), O_WRONLY | O_TRUNC, 0);
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  pid_t pid = 0;
  const int spawned = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (spawned != 0) throw std::runtime_error("cannot run " + program);
  int status = 0;
  for (int ms = 0; waitpid(pid, &status, WNOHANG) == 0; ++ms) {
    if (ms > seconds * 1000) kill(pid, SIGKILL);
    usleep(1000);
  }
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), out.contents(), error.contents()};
}

}  // namespace process
