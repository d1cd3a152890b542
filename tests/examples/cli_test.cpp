// Command lines: what is accepted, and that every failure is one sentence and a status.
#include "support/cli.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cstdio>
#include <iostream>
#include <new>

#include "scratch.hpp"
#include "support/file.hpp"

using namespace penstock::examples;

namespace {

struct options {
  common_options common;
  std::uint64_t steps = 10;
  std::uint64_t bytes = 4096;
};

// An example as a child process: prints what it understood, unless `body` does something else.
child_result run_example(std::vector<std::string> words, const std::function<int()>& body = nullptr,
                         const std::filesystem::path& out = {}) {
  const scratch_folder folder;
  return run_child(
      folder,
      [&] {
        CLI::App app{"An example."};
        options given;
        add_common_options(app, given.common);
        add_count(app, "--steps", given.steps, 0, 1'000'000, "time steps");
        add_byte_size(app, "--bytes", given.bytes, "how much");
        words.insert(words.begin(), "/some/where/example");
        std::vector<char*> argv;
        for (std::string& word : words) argv.push_back(word.data());
        return run_main(app, static_cast<int>(argv.size()), argv.data(), [&] {
          if (body) return body();
          std::printf("%s %d %d %llu %llu", to_string(given.common.backend), given.common.verify,
                      given.common.device, static_cast<unsigned long long>(given.steps),
                      static_cast<unsigned long long>(given.bytes));
          return 0;
        });
      },
      out);
}

std::string understood(std::vector<std::string> words) {
  const child_result child = run_example(std::move(words));
  CHECK(child.status == 0);
  CHECK(child.err == "");
  return child.out;
}

std::string refused(std::vector<std::string> words) {
  const child_result child = run_example(std::move(words));
  CHECK(child.status != 0);
  CHECK(child.status < 1000);
  CHECK(child.out == "");
  CHECK(std::count(child.err.begin(), child.err.end(), '\n') == 1);
  return child.err;
}

child_result ending(const std::function<int()>& body) { return run_example({}, body); }

}  // namespace

TEST_CASE("options are read, and have defaults") {
  CHECK(understood({}) == "auto 0 0 10 4096");
  CHECK(understood({"--backend", "ampere", "--verify", "--device", "3", "--steps=0", "--bytes", "2GiB"}) ==
        "ampere 1 3 0 2147483648");
  for (const std::string name : {"auto", "hopper", "ampere", "portable", "host"}) {
    CHECK(understood({"--backend", name}) == name + " 0 0 10 4096");
  }
  CHECK(understood({"--steps", "010"}) == "auto 0 0 10 4096");  // decimal, whatever it begins with
}

TEST_CASE("help goes to standard output with status 0") {
  const child_result child = run_example({"--help"});
  CHECK(child.status == 0);
  CHECK(child.err == "");
  for (const std::string word :
       {"An example.", "--backend auto|hopper|ampere|portable|host=auto", "--steps N=10",
        "--bytes BYTES=4096", "--device N=0", "--verify", "time steps"}) {
    CAPTURE(word);
    CHECK(child.out.find(word) != std::string::npos);
  }
}

TEST_CASE("a wrong command line is refused in one sentence") {
  const std::string end = " (--help lists the options)\n";
  CHECK(refused({"--backend", "cuda"}) ==
        "example: --backend: 'cuda' given, allowed are auto, hopper, ampere, portable and host" + end);
  CHECK(refused({"--device", "-1"}) ==
        "example: --device: '-1' given, allowed is a GPU's number, 0 or more" + end);
  CHECK(refused({"--device", "2147483648"}) ==
        "example: --device: '2147483648' given, allowed is a GPU's number, 0 or more" + end);
  CHECK(refused({"--steps", "ten"}) ==
        "example: --steps: 'ten' given, allowed is a whole number from 0 to 1000000" + end);
  CHECK(refused({"--steps", "1000001"}) ==
        "example: --steps: '1000001' given, allowed is a whole number from 0 to 1000000" + end);
  CHECK(refused({"--steps", "99999999999999999999"}) ==
        "example: --steps: '99999999999999999999' given, allowed is a whole number from 0 to 1000000" + end);
  CHECK(refused({"--steps", "1.5"}) ==
        "example: --steps: '1.5' given, allowed is a whole number from 0 to 1000000" + end);
  CHECK(refused({"--bytes", "12 parsec"}) ==
        "example: --bytes: '12 parsec' given, allowed is a whole number of bytes below 2^64 with an optional "
        "KiB, MiB, "
        "GiB or TiB" +
            end);
  CHECK(refused({"--bytes"}).starts_with("example: --bytes"));
  CHECK(refused({"--colour"}).find("--colour") != std::string::npos);
  CHECK(refused({"stray\nword"}).find("stray word") != std::string::npos);
}

TEST_CASE("byte sizes") {
  CHECK(parse_byte_size("0") == 0);
  CHECK(parse_byte_size("17B") == 17);
  CHECK(parse_byte_size("3KiB") == 3072);
  CHECK(parse_byte_size("5MiB") == 5242880);
  CHECK(parse_byte_size("18446744073709551615") == 18446744073709551615u);
  CHECK(parse_byte_size("16777215TiB") == 18446742974197923840u);
  for (const char* text : {"", "KiB", "1 KiB", "-1", "+1", "1.5GiB", "1kib", "1KB", "1KiB ", "0x10",
                           "16777216TiB", "18446744073709551616"}) {
    CAPTURE(text);
    CHECK(sentence_of([&] { parse_byte_size(text); }) ==
          "'" + std::string(text) +
              "' given, allowed is a whole number of bytes below 2^64 with an optional KiB, MiB, GiB or TiB");
  }
}

TEST_CASE("the best backend that runs is chosen, and one that does not run is refused") {
  using enum backend_choice;
  const gpu_at_hand none;
  const gpu_at_hand turing{75, "a T4 (compute capability 7.5)"};
  const gpu_at_hand a100{80, "an A100 (compute capability 8.0)"};
  const gpu_at_hand h200{90, "an H200 (compute capability 9.0)"};
  const gpu_at_hand newer{120, "a newer one"};
  CHECK(resolve_backend(automatic, none) == host);
  CHECK(resolve_backend(automatic, turing) == portable);
  CHECK(resolve_backend(automatic, a100) == ampere);
  CHECK(resolve_backend(automatic, h200) == hopper);
  CHECK(resolve_backend(automatic, newer) == hopper);
  for (const backend_choice asked : {hopper, ampere, portable, host})
    CHECK(resolve_backend(asked, h200) == asked);
  CHECK(sentence_of([&] { resolve_backend(hopper, a100); }) ==
        "--backend: 'hopper' given, which needs compute capability 9.0, but here is an A100 (compute "
        "capability 8.0): allowed are "
        "ampere, portable, host");
  CHECK(sentence_of([&] { resolve_backend(portable, none); }) ==
        "--backend: 'portable' given, which needs compute capability 7.5, but here is no GPU: allowed are "
        "host");
}

TEST_CASE("every way to end is a status and at most one sentence") {
  CHECK(ending([] { return 0; }).status == 0);
  CHECK(ending([] { return 7; }).status == 7);
  const auto error_of = [](const std::function<int()>& body) {
    const child_result child = ending(body);
    CHECK(child.status == 1);
    return child.err;
  };
  CHECK(error_of([]() -> int { throw std::runtime_error("two\nlines"); }) == "example: two lines\n");
  CHECK(error_of([]() -> int { throw std::system_error(ENOENT, std::generic_category(), "cannot"); }) ==
        "example: cannot: No such file or directory\n");
  CHECK(error_of([]() -> int { throw std::bad_alloc(); }) ==
        "example: the host has too little free memory for this input\n");
  CHECK(error_of([]() -> int { throw 5; }) == "example: an error of unknown type ended the run\n");
}

TEST_CASE("results that standard output does not take are a failure") {
  const auto print = [] {
    std::printf("a result\n");
    return 0;
  };
  const child_result child = run_example({}, print, "/dev/full");
  CHECK(child.status == 1);
  CHECK(child.err == "example: cannot write to standard output\n");
}

TEST_CASE("a file-size limit ends in a sentence, not in a signal") {
  const scratch_folder folder;
  const child_result child = ending([&] {
    const rlimit limit{1000, RLIM_INFINITY};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    write_file(folder / "large", std::vector<std::byte>(5000));
    return 0;
  });
  CHECK(child.status == 1);
  CHECK(child.err == "example: cannot write '" + (folder / "large").string() + "': File too large\n");
  CHECK(folder.entries() == 0);
}
