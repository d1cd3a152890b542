#include "files.hpp"

#include "input_error.hpp"
#include "utf8.hpp"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

namespace penstock::command {
namespace {

struct close_file {
  void operator()(std::FILE* f) const { std::fclose(f); }
};
using open_file = std::unique_ptr<std::FILE, close_file>;

[[noreturn]] void cannot(std::string_view verb, const std::string& path, int error) {
  throw input_error(fmt::format("{}: cannot {}: {}", shown_path(path), verb, std::strerror(error)));
}

void write_all(std::FILE* f, const std::string& path, std::string_view contents) {
  if (std::fwrite(contents.data(), 1, contents.size(), f) != contents.size() || std::fflush(f) != 0)
    cannot("write", path, errno);
}

}  // namespace

std::string shown_path(const std::string& path) { return path == "-" ? "standard input" : printable(path, 200); }

std::string read_file(const std::string& path, std::size_t most) {
  open_file opened(path == "-" ? nullptr : std::fopen(path.c_str(), "rb"));
  if (!opened && path != "-") cannot("read", path, errno);
  std::FILE* f = opened ? opened.get() : stdin;
  std::string contents;
  char chunk[1 << 16];
  while (contents.size() <= most) {
    const std::size_t n = std::fread(chunk, 1, sizeof chunk, f);
    contents.append(chunk, n);
    if (n < sizeof chunk) break;
  }
  if (std::ferror(f)) cannot("read", path, errno);
  if (contents.size() > most)
    throw input_error(fmt::format("{}: larger than the {} bytes allowed", shown_path(path), most));
  return contents;
}

void write_file(const std::string& path, std::string_view contents) {
  namespace fs = std::filesystem;
  std::error_code no_target;
  const fs::file_status status = fs::status(path, no_target);
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    open_file f(std::fopen(path.c_str(), "wb"));
    if (!f) cannot("write", path, errno);
    write_all(f.get(), path, contents);
    return;
  }
  // through a symbolic link the file it names is replaced, not the link
  const fs::path target = fs::exists(status) ? fs::canonical(path, no_target) : fs::path(path);
  std::string temporary = target.string() + ".XXXXXX";
  const int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) cannot("write", path, errno);
  try {
    const mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    open_file f(fdopen(descriptor, "wb"));
    if (!f) cannot("write", path, errno);
    write_all(f.get(), path, contents);
    f.reset();
    if (std::rename(temporary.c_str(), target.c_str()) != 0) cannot("write", path, errno);
  } catch (...) {
    std::remove(temporary.c_str());
    throw;
  }
}

}  // namespace penstock::command
