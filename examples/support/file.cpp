#include "file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <random>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace penstock::examples {
namespace {

namespace fs = std::filesystem;

static_assert(sizeof(off_t) == 8, "files beyond 2 GiB need a 64-bit off_t (-D_FILE_OFFSET_BITS=64)");

// Linux moves at most 2^31 - 4096 bytes a call.
constexpr std::uint64_t chunk = std::uint64_t{1} << 30;

[[noreturn]] void fail(const char* verb, const fs::path& path, int error = errno) {
  throw std::system_error(error, std::generic_category(), fmt::format("cannot {} '{}'", verb, path.string()));
}

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "folder";
  if (S_ISCHR(mode)) return "character device";
  if (S_ISBLK(mode)) return "block device";
  if (S_ISFIFO(mode)) return "pipe";
  return "socket";
}

void require_regular(const char* verb, const fs::path& path, mode_t mode) {
  if (!S_ISREG(mode)) {
    throw std::runtime_error(fmt::format("cannot {} '{}': it is a {}, allowed is a regular file", verb,
                                         path.string(), kind_of(mode)));
  }
}

int open_input(const fs::path& path) {
  // O_NONBLOCK: opening a pipe must return, so that it can be refused.
  const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (number < 0) fail("read", path);
  return number;
}

fs::path follow(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    if (errno != ENOENT) fail("write", path);
    if (!path.has_filename()) {
      throw std::runtime_error(fmt::format("cannot write '{}': it names no file", path.string()));
    }
    return path;
  }
  require_regular("write", path, status.st_mode);
  // rename() asks the folder alone; a read-only file must stay as it is.
  if (::access(path.c_str(), W_OK) != 0) fail("write", path);
  return fs::canonical(path);
}

fs::path temporary_beside(const fs::path& target) {
  std::random_device random;
  const std::uint64_t tag = (std::uint64_t{random()} << 32) | random();
  return target.parent_path() / fmt::format(".penstock-{:016x}.part", tag);
}

int open_output(const fs::path& path, const fs::path& target, const fs::path& temporary) {
  const int number = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (number < 0) fail("write", path);
  struct stat old {};
  if (::stat(target.c_str(), &old) == 0 && ::fchmod(number, old.st_mode & 07777) != 0) {
    const int error = errno;
    ::close(number);
    ::unlink(temporary.c_str());
    fail("write", path, error);
  }
  return number;
}

}  // namespace

descriptor::~descriptor() {
  if (number_ >= 0) ::close(number_);
}

int descriptor::close() { return ::close(std::exchange(number_, -1)); }

input_file::input_file(const fs::path& path) : path_(path), file_(open_input(path)) {
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) fail("read", path_);
  require_regular("read", path_, status.st_mode);
  size_ = static_cast<std::uint64_t>(status.st_size);
}

void input_file::read(void* to, std::uint64_t bytes) {
  auto* at = static_cast<std::byte*>(to);
  while (bytes > 0) {
    const ssize_t got = ::read(file_.number(), at, std::min(bytes, chunk));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read", path_);
    if (got == 0) {
      throw std::runtime_error(fmt::format("cannot read '{}': it ends at byte {}, {} more were expected",
                                           path_.string(), taken_, bytes));
    }
    at += got;
    bytes -= static_cast<std::uint64_t>(got);
    taken_ += static_cast<std::uint64_t>(got);
  }
}

output_file::output_file(const fs::path& path)
    : path_(path),
      target_(follow(path)),
      temporary_(temporary_beside(target_)),
      file_(open_output(path_, target_, temporary_)) {}

output_file::~output_file() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void output_file::write(const void* from, std::uint64_t bytes) {
  const auto* at = static_cast<const std::byte*>(from);
  while (bytes > 0) {
    const ssize_t put = ::write(file_.number(), at, std::min(bytes, chunk));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("write", path_);
    at += put;
    bytes -= static_cast<std::uint64_t>(put);
  }
}

void output_file::commit() {
  if (::fsync(file_.number()) != 0 || file_.close() != 0) fail("write", path_);
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("write", path_);
  temporary_.clear();
  // The content is in place already; this makes its name survive a power cut where the file system can.
  const fs::path folder = target_.has_parent_path() ? target_.parent_path() : fs::path(".");
  const descriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (opened.number() >= 0) ::fsync(opened.number());
}

file_bytes read_file(const fs::path& path) {
  input_file file(path);
  file_bytes whole{std::make_unique_for_overwrite<std::byte[]>(file.size()), file.size()};
  file.read(whole.data.get(), whole.size);
  return whole;
}

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
  output_file file(path);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

void require_writable(const fs::path& path) { output_file probe(path); }

}  // namespace penstock::examples
