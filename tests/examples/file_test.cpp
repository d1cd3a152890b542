// Files are read exactly, and replaced entirely or not at all.
#include "support/file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <vector>

#include "scratch.hpp"

using namespace penstock::examples;
namespace fs = std::filesystem;

namespace {

std::string read_text(const fs::path& path) {
  const file_bytes whole = read_file(path);
  return {reinterpret_cast<const char*>(whole.data.get()), whole.size};
}

void write_text(const fs::path& path, std::string_view text) {
  write_file(path, std::as_bytes(std::span(text)));
}

mode_t mode_of(const fs::path& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

// Files of this process stop growing at `bytes` while this lives; the signal that comes with it is ignored.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = SIG_DFL;
};

}  // namespace

TEST_CASE("bytes come back as they were written") {
  const scratch_folder folder;
  std::string every_byte;
  for (int i = 0; i < 70'000; ++i) every_byte += static_cast<char>(i * 7);
  for (const std::string& text : {std::string(), std::string("x"), every_byte}) {
    write_text(folder / "data", text);
    CHECK(read_text(folder / "data") == text);
    CHECK(folder.entries() == 1);
  }
}

TEST_CASE("sizes and what is left are 64-bit") {
  const scratch_folder folder;
  const std::uint64_t size = (std::uint64_t{5} << 30) + 3;
  put_text(folder / "sparse", "head");
  fs::resize_file(folder / "sparse", size);
  input_file file(folder / "sparse");
  CHECK(file.size() == size);
  char text[4];
  file.read(text, 4);
  CHECK(std::string_view(text, 4) == "head");
  CHECK(file.left() == size - 4);
}

TEST_CASE("what cannot be read is named in one sentence") {
  const scratch_folder folder;
  const std::string at = folder.path().string();
  put_text(folder / "file", "12345");
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  const auto sentence = [](const fs::path& path) { return sentence_of([&] { read_file(path); }); };

  CHECK(sentence(folder / "none") == "cannot read '" + at + "/none': No such file or directory");
  CHECK(sentence(folder / "file/x") == "cannot read '" + at + "/file/x': Not a directory");
  CHECK(sentence(folder.path()) == "cannot read '" + at + "': it is a folder, allowed is a regular file");
  CHECK(sentence(folder / "pipe") ==
        "cannot read '" + at + "/pipe': it is a pipe, allowed is a regular file");
  CHECK(sentence("/dev/zero") ==
        "cannot read '/dev/zero': it is a character device, allowed is a regular file");

  input_file shrinking(folder / "file");
  fs::resize_file(folder / "file", 2);
  char text[5];
  CHECK(sentence_of([&] { shrinking.read(text, 5); }) ==
        "cannot read '" + at + "/file': it ends at byte 2, 3 more were expected");
}

TEST_CASE("what cannot be written is named in one sentence, before and after") {
  const scratch_folder folder;
  const std::string at = folder.path().string();
  put_text(folder / "file", "old");
  for (const auto& write : {+[](const fs::path& path) { write_text(path, "new"); }, &require_writable}) {
    const auto sentence = [&](const fs::path& path) { return sentence_of([&] { write(path); }); };
    CHECK(sentence(folder / "none/x") == "cannot write '" + at + "/none/x': No such file or directory");
    CHECK(sentence(folder / "file/x") == "cannot write '" + at + "/file/x': Not a directory");
    CHECK(sentence(folder.path()) == "cannot write '" + at + "': it is a folder, allowed is a regular file");
    CHECK(sentence("/dev/null") ==
          "cannot write '/dev/null': it is a character device, allowed is a regular file");
    CHECK(sentence("") == "cannot write '': it names no file");
  }
  CHECK(read_text(folder / "file") == "old");
  CHECK(folder.entries() == 1);
  CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("asking whether a file is writable changes nothing") {
  const scratch_folder folder;
  put_text(folder / "file", "old");
  require_writable(folder / "file");
  require_writable(folder / "new");
  CHECK(read_text(folder / "file") == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("the old file stays until commit, and for good without it") {
  const scratch_folder folder;
  put_text(folder / "file", "old");
  {
    output_file abandoned(folder / "file");
    abandoned.write("half", 4);
    CHECK(read_text(folder / "file") == "old");
    CHECK(folder.entries() == 2);
  }
  CHECK(read_text(folder / "file") == "old");
  CHECK(folder.entries() == 1);

  output_file kept(folder / "file");
  kept.write("ne", 2);
  kept.write("w", 1);
  kept.commit();
  CHECK(read_text(folder / "file") == "new");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a write that fails midway leaves the old file and nothing else") {
  const scratch_folder folder;
  put_text(folder / "file", "old");
  const std::string large(100'000, 'x');
  std::string sentence;
  {
    const file_size_limit limit(10'000);
    sentence = sentence_of([&] { write_text(folder / "file", large); });
  }
  CHECK(sentence == "cannot write '" + (folder / "file").string() + "': File too large");
  CHECK(read_text(folder / "file") == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a link is followed and permissions are kept") {
  const scratch_folder folder;
  fs::create_directory(folder / "real");
  put_text(folder / "real/file", "old");
  REQUIRE(::chmod((folder / "real/file").c_str(), 0640) == 0);
  fs::create_symlink("real/file", folder / "link");
  write_text(folder / "link", "new");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(read_text(folder / "real/file") == "new");
  CHECK(mode_of(folder / "real/file") == 0640);

  const mode_t mask = ::umask(027);
  write_text(folder / "fresh", "new");
  ::umask(mask);
  CHECK(mode_of(folder / "fresh") == 0640);
}

TEST_CASE("a read-only file is not replaced, though its folder would allow it") {
  const scratch_folder folder;
  put_text(folder / "file", "old");
  REQUIRE(::chmod((folder / "file").c_str(), 0444) == 0);
  REQUIRE(::chmod(folder.path().c_str(), 0777) == 0);
  const child_result child = run_child(folder, [&] {
    // Root may write anything: become nobody, if this is root.
    if (::geteuid() == 0 && ::setuid(65534) != 0) return 98;
    std::fputs(sentence_of([&] { write_text(folder / "file", "new"); }).c_str(), stdout);
    return 0;
  });
  CHECK(child.status == 0);
  CHECK(child.out == "cannot write '" + (folder / "file").string() + "': Permission denied");
  CHECK(read_text(folder / "file") == "old");
}

TEST_CASE("a path without a folder is in the current one") {
  const scratch_folder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const std::string sentence = sentence_of([] { write_text("bare", "text"); });
  fs::current_path(before);
  CHECK(sentence == "");
  CHECK(read_text(folder / "bare") == "text");
}
