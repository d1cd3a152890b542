// A folder of its own for each test case, and what a call or a child process answered.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace penstock::examples {

class scratch_folder {
 public:
  scratch_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "penstock-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for the test: " + name);
    path_ = name;
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;
  ~scratch_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
  std::filesystem::path path() const { return path_; }
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

inline void put_text(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The sentence that a call throws, "" if it throws none.
template <class Call>
std::string sentence_of(Call call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

struct child_result {
  int status = -1;  // 1000 + signal, if one ended it
  std::string out;
  std::string err;
};

// Runs body() in a child process, for what would change or end this one. Standard output goes to `out_path`.
template <class Body>
child_result run_child(const scratch_folder& folder, Body body, const std::filesystem::path& out_path = {}) {
  const std::filesystem::path out = out_path.empty() ? folder / "child.out" : out_path;
  const std::filesystem::path err = folder / "child.err";
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    if (std::freopen(out.c_str(), "w", stdout) == nullptr ||
        std::freopen(err.c_str(), "w", stderr) == nullptr)
      ::_exit(99);
    const int status = body();
    std::fflush(nullptr);
    ::_exit(status);
  }
  int state = 0;
  ::waitpid(child, &state, 0);
  return {WIFEXITED(state) ? WEXITSTATUS(state) : 1000 + WTERMSIG(state),
          out_path.empty() ? text_of(out) : "", text_of(err)};
}

}  // namespace penstock::examples
