// A checked build on the host: pipelines run as they do unchecked, and a wait that nobody ends says so.
#define PENSTOCK_CHECKED
#include "run/mute_bodies.hpp"

#include "run/cases.hpp"

#include <doctest/doctest.h>

#include <stdexcept>

using namespace cases;

TEST_CASE("what works unchecked works checked") {
  const auto in = coded(9 * tile_words, 1);
  std::vector<word> out(in.size());
  run_result result;
  three<4, 2>::run<>(job{in.data(), nullptr, out.data(), 9, -1, 5, &result});
  CHECK(result.iterations == 9);
  CHECK(out[100] == three<4, 2>::expect(in.data(), nullptr, 9, 1, 4));
}

TEST_CASE("a wait that nobody ends names who waits for whom") {
  using line = pipeline<buffer<"muted", word[tile_words], depth<2>>, buffer<"out", word[tile_words], depth<2>>,
                        stage<"read", async, writes<"muted">>,
                        stage<"compute", penstock::sync, reads<"muted">, writes<"out">>,
                        stage<"write", async, reads<"out">>>;
  std::vector<word> data(4 * tile_words);
  const auto go_on = [&] {
    run<line>(4, on<"read">([&](long long i) { return from(data.data() + i * tile_words); }),
              on<"compute">([](auto, auto&, auto&, long long) {}),
              on<"write">([&](long long i) { return to(data.data() + i * tile_words); }));
  };
  // the copies wait for the body's first instance, soon the body for what is not copied in: any may give up first
  try {
    go_on();
    FAIL("nobody noticed");
  } catch (const std::logic_error& e) {
    const std::string said = e.what();
    CHECK((said.find("waits for instance 0 of stage '") != std::string::npos ||
           said.find("stage 'compute' waits for instance 2 of stage 'read'") != std::string::npos));
    CHECK(said.find("and nobody signals it") != std::string::npos);
  }
}

TEST_CASE("a copy that does not fit its slot is refused") {
  using line = pipeline<buffer<"b", word[tile_words], depth<2>>, stage<"read", async, writes<"b">>,
                        stage<"write", async, reads<"b">>>;
  std::vector<word> in(2 * tile_words), out(2 * tile_words);
  const auto refused = [](auto&& copy_in, auto&& copy_out, const char* sentence) {
    try {
      run<line, sequential>(1, on<"read">(copy_in), on<"write">(copy_out));
      FAIL_CHECK("not refused: " << sentence);
    } catch (const std::logic_error& e) {
      INFO(e.what());
      CHECK(std::string(e.what()).find(sentence) != std::string::npos);
    }
  };
  const auto read = [&](long long) { return from(in.data()); };
  const auto write = [&](long long) { return to(out.data()); };
  refused([&](long long) { return from(in.data(), tile_words + 1); }, write, "a copy is longer than its slot");
  refused([&](long long) { return from(in.data(), -1); }, write, "a copy is longer than its slot");
  refused(read, [&](long long) { return to(out.data(), tile_words + 1); }, "a copy is longer than its slot");
  refused([&](long long) { return from_aligned(in.data() + 1); }, write, "an aligned copy has an address");
}
