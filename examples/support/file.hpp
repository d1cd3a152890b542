// Files: a whole file's bytes, and a new content that replaces the old one entirely or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>

namespace penstock::examples {

// Owns an open file; closes it when it goes.
class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor();
  int number() const { return number_; }
  // Closes now, and returns close's own verdict: some file systems report a failed write only here.
  [[nodiscard]] int close();

 private:
  int number_;
};

// A regular file, read once from front to back into the caller's memory.
// Every failure throws an exception whose what() is one sentence with the path.
class input_file {
 public:
  explicit input_file(const std::filesystem::path& path);
  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  std::uint64_t left() const { return size_ - taken_; }
  // The next `bytes` bytes, all of them; throws if the file holds fewer.
  void read(void* to, std::uint64_t bytes);

 private:
  std::filesystem::path path_;
  descriptor file_;
  std::uint64_t size_;
  std::uint64_t taken_ = 0;
};

// Writes to a temporary file beside `path`; commit() puts it in place. Without commit(), nothing has changed.
// A link is followed, an existing file's permissions are kept, anything but a regular file is refused.
class output_file {
 public:
  explicit output_file(const std::filesystem::path& path);
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;
  ~output_file();
  const std::filesystem::path& path() const { return path_; }
  void write(const void* from, std::uint64_t bytes);
  void commit();

 private:
  std::filesystem::path path_;
  std::filesystem::path target_;     // path_ with links followed
  std::filesystem::path temporary_;  // empty once nothing is left to remove
  descriptor file_;
};

struct file_bytes {
  std::unique_ptr<std::byte[]> data;  // not a vector: zeroing gigabytes first would double the memory traffic
  std::uint64_t size = 0;
  std::span<const std::byte> view() const { return {data.get(), static_cast<std::size_t>(size)}; }
};

file_bytes read_file(const std::filesystem::path& path);
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

// Throws what output_file would throw, so that a long run fails at its start rather than at its end.
void require_writable(const std::filesystem::path& path);

}  // namespace penstock::examples
