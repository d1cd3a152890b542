// Every case on the host: in one thread, and with a thread an agent, against plain loops.
#include "run/cases.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>

namespace {

using namespace cases;

template <class Case, class... O>
void run_case(long long n, word seed, long long stop_at = -1) {
  const auto in = coded((n + 1) * tile_words, 1), other = coded((n + 1) * tile_words, 2);
  const auto untouched = coded((n + 1) * tile_words, 3);
  auto out = untouched;
  run_result result;
  Case::template run<O...>(job{in.data(), other.data(), out.data(), n, stop_at, seed, &result});
  const bool stops = stop_at >= 0 && stop_at < n;
  const long long done = stops ? stop_at + 1 : n;
  INFO(Case::name << ", n = " << n << ", seed " << seed << ", stop at " << stop_at);
  CHECK(result.iterations == done);
  CHECK(result.stopped == stops);
  long long wrong = 0;
  for (long long i = 0; i <= n; ++i)
    for (int k = 0; k < tile_words; ++k) {
      const auto at = static_cast<std::size_t>(i * tile_words + k);
      wrong += out[at] != (i < done ? Case::expect(in.data(), other.data(), n, i, k) : untouched[at]);
    }
  CHECK(wrong == 0);
}

template <class Case, class... O>
void sweep() {
  for (long long n : {0, 1, 2, 3, 4, 5, 7, 8, 9, 17}) run_case<Case, O...>(n, 0);
  run_case<Case, O...>(1000, 12345);
}
template <class Case>
void both() {
  sweep<Case, sequential>();
  sweep<Case, specialised<>>();
}

}  // namespace

TEST_CASE("every case, in one thread and with a thread an agent") {
  both<copy<1>>();
  both<copy<2>>();
  both<copy<5>>();
  both<three<1, 1>>();
  both<three<2, 2>>();
  both<three<4, 2>>();
  both<in_place<1>>();
  both<in_place<4>>();
  both<windowed<-1, 1, 3>>();
  both<windowed<-1, 1, 5>>();
  both<windowed<-2, 0, 4>>();
  both<windowed<0, 2, 3>>();
  both<windowed<-2, -1, 3>>();
  both<windowed<1, 2, 4>>();
  both<windowed<-2, -2, 1>>();  // farther than the ring is deep: its few slots hold what lies there
  both<windowed<2, 2, 1>>();
  both<windowed<-5, -4, 2>>();
  both<windowed<4, 5, 3>>();
  both<windowed<0, 64, 65>>();
  both<windowed<-64, -63, 66>>();
  both<chain<1>>();
  both<chain<2>>();
  both<two_consumers>();
}

TEST_CASE("what is carried out asynchronously where is known while compiling") {
  using line = three<4, 2>::line;
  static_assert(is_async_on<line, "read">(backend::hopper) && is_async_on<line, "write">(backend::hopper));
  static_assert(is_async_on<line, "read">(backend::ampere) && !is_async_on<line, "write">(backend::ampere));
  static_assert(!is_async_on<line, "read">(backend::portable) && !is_async_on<line, "compute">(backend::hopper));
  static_assert(backend_of<line, backend::hopper, at_most<backend::ampere>> == backend::ampere);
  static_assert(backend_of<line, backend::portable, at_most<backend::ampere>> == backend::portable);
  CHECK(native_backend == backend::host);
}

TEST_CASE("the deepest rings are within the compilers' limits") {
  using line = pipeline<buffer<"in", word, depth<max_depth>>, buffer<"out", word, depth<max_depth>>,
                        stage<"read", async, writes<"in">>,
                        stage<"compute", penstock::sync, reads<"in">, writes<"out">>,
                        stage<"write", async, reads<"out">>>;
  static_assert(lowered<line, specialised<>, backend::host>::table.rings[0].slots == max_depth);
}

TEST_CASE("a stop ends after its iteration, wherever it falls") {
  for (long long n = 0; n <= 9; ++n)
    for (long long s = 0; s <= n; ++s) {
      run_case<stopping<1, 1>, sequential>(n, 0, s);
      run_case<stopping<2, 2>, specialised<>>(n, 77, s);
      run_case<stopping<4, 2>, sequential>(n, 0, s);
      run_case<stopping<4, 2>, specialised<>>(n, 78, s);
    }
}

TEST_CASE("ragged ranges leave their surroundings alone") {
  const auto code = [](std::size_t k) { return static_cast<unsigned char>(mix(static_cast<word>(k)) >> 9); };
  const long long n = 300;
  for (std::size_t from = 0; from < 16; from += 5)
    for (std::size_t to = 0; to < 16; to += 3) {
      std::vector<unsigned char> in(n * 256 + 32), out(n * 256 + 32, 0xa5);
      for (std::size_t k = 0; k < in.size(); ++k) in[k] = code(k);
      ragged::run<specialised<>>(in.data() + from, out.data() + to, n);
      long long wrong = 0;
      for (long long i = 0; i < n; ++i)
        for (long long k = 0; k < 256; ++k) {
          const auto at = static_cast<std::size_t>(i * 256 + k);
          wrong += out[to + at] != (k < ragged::size(i) ? in[from + at] : 0xa5);
        }
      CHECK(wrong == 0);
    }
}

TEST_CASE("an exception of a stage ends the run once, in every agent") {
  using line = three<4, 2>::line;
  std::vector<word> data(64 * tile_words);
  for (int where = 0; where < 3; ++where)
    for (long long at : {0, 1, 5, 63}) {
      const auto fail = [&](int stage, long long i) {
        if (stage == where && i == at) throw std::runtime_error("stage " + std::to_string(stage));
      };
      const auto attempt = [&] {
        run<line, specialised<>>(64, on<"read">([&](long long i) { fail(0, i); return from(data.data() + i * tile_words); }),
                                 on<"compute">([&](auto, auto&, auto&, long long i) { fail(1, i); }),
                                 on<"write">([&](long long i) { fail(2, i); return to(data.data() + i * tile_words); }));
      };
      CHECK_THROWS_WITH_AS(attempt(), ("stage " + std::to_string(where)).c_str(), std::runtime_error);
    }
}

TEST_CASE("a pipeline object whose run an exception has ended runs no more") {
  using line = three<4, 2>::line;
  std::vector<word> data(4 * tile_words);
  const auto attempt = [&](auto& object, bool fails) {
    return object.run(4, on<"read">([&](long long i) { return from(data.data() + i * tile_words); }),
                      on<"compute">([&](auto, auto&, auto&, long long) {
                        if (fails) throw std::runtime_error("compute");
                      }),
                      on<"write">([&](long long i) { return to(data.data() + i * tile_words); }));
  };
  const auto check = [&](auto object) {
    CHECK(attempt(*object, false).iterations == 4);
    CHECK_THROWS_AS(attempt(*object, true), std::runtime_error);
    CHECK_THROWS_AS(attempt(*object, false), std::logic_error);
  };
  check(std::make_unique<persistent<line, sequential>>());
  check(std::make_unique<persistent<line, specialised<>>>());
}
