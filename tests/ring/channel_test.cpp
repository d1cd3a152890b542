// Every script on every shape of channel between host threads, and what checked builds refuse.
#define PENSTOCK_CHECKED
#include "ring/scripts.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <stdexcept>
#include <utility>

namespace {

using namespace rings;

template <class Ring, int... P, int... C>
void run_parties(Ring& ring, const script& s, std::integer_sequence<int, P...>, std::integer_sequence<int, C...>) {
  std::vector<std::thread> threads;
  (threads.emplace_back([&] { produce<P>(ring, s, 0); }), ...);
  (threads.emplace_back([&] { consume<C>(ring, s, 0); }), ...);
  for (std::thread& t : threads) t.join();
}

template <class Shape>
void play(script s) {
  using ring_type = typename Shape::ring;
  constexpr int consumers = ring_type::consumer_count;
  const auto in = coded(s.tiles() * tile_words, 1), untouched = coded(consumers * s.tiles() * tile_words, 2);
  auto out = untouched;
  std::vector<long long> delivered(static_cast<std::size_t>(consumers * s.sessions * s.runs), -1);
  s.in = in.data();
  s.out = out.data();
  s.delivered = delivered.data();
  const auto memory = std::make_unique<typename ring_type::storage>();
  {
    ring_type ring(*memory);
    run_parties(ring, s, std::make_integer_sequence<int, ring_type::producer_count>{},
                std::make_integer_sequence<int, consumers>{});
  }
  INFO(Shape::name << ", " << ring_type::depth << " slots, n = " << s.n << ", runs " << s.runs << ", stop at " << s.stop_at
                   << ", leave in " << s.leave_in << ", seed " << s.seed);
  CHECK(wrong(s, consumers, in, out, untouched, delivered) == 0);
}

template <template <int> class Shape>
void every_depth() {
  every_script<1>([](const script& s) { play<Shape<1>>(s); });
  every_script<2>([](const script& s) { play<Shape<2>>(s); });
  every_script<5>([](const script& s) { play<Shape<5>>(s); });
}

}  // namespace

TEST_CASE("one producer, one consumer") { every_depth<bulk_to_threads>(); }
TEST_CASE("a consumer that copies out late") { every_depth<stores_to_bulk>(); }
TEST_CASE("several producers and consumers") {
  every_depth<several>();
  every_depth<many_producers>();
}

TEST_CASE("one thread may hold both ends") {
  using ring_type = channel<int, 3, producers<threads<1>>, consumers<threads<1>>>;
  ring_type::storage memory;
  ring_type ring(memory);
  auto out = ring.producer(0);
  auto in = ring.consumer(0);
  CHECK(in.try_acquire().not_yet());
  for (int k = 0; k < 3; ++k) *out.acquire() = k;
  CHECK(out.try_acquire().not_yet());
  for (int k = 0; k < 3; ++k) CHECK(*in.acquire() == k);
  CHECK(in.try_acquire().not_yet());

  *out.acquire() = 7;
  out.finish();
  CHECK(*in.acquire() == 7);
  CHECK(!in.acquire());
  {
    auto slot = out.acquire();
    auto moved = std::move(slot);
    CHECK(!slot);
    *moved = 8;
    moved.commit_last();
  }
  {
    auto slot = in.acquire();
    CHECK(*slot == 8);
    CHECK(slot.last());
  }
  CHECK(!in.acquire());
  in.stop();
  CHECK(!out.acquire());  // wanted by nobody
  out.finish();
  CHECK(!in.acquire());
  CHECK(out.acquire());  // the next run
  in.stop();
  // in goes first: its drain waits for out's, which waits for slots that nobody else would release
  std::thread last([end = std::move(out)]() mutable { end.drain(); });
  in.drain();
  last.join();
}

TEST_CASE("checked builds refuse a handle that is used twice or too late") {
  using ring_type = channel<int, 2, producers<threads<1>>, consumers<threads<1>>>;
  ring_type::storage memory;
  ring_type ring(memory);
  auto out = ring.producer(0);
  auto in = ring.consumer(0);
  const auto refused = [](auto&& call, const char* sentence) {
    try {
      call();
    } catch (const std::logic_error& e) {
      INFO(e.what());
      CHECK(std::string(e.what()).find(sentence) != std::string::npos);
      return;
    }
    FAIL_CHECK("not refused: " << sentence);
  };
  {
    auto slot = out.acquire();
    *slot = 1;
    slot.commit();
    refused([&] { slot.commit(); }, "a slot is committed twice, or was never acquired");
    refused([&] { slot.skip(); }, "a slot is committed twice, or was never acquired");
    refused([&] { *slot = 2; }, "a slot is used after its commit");
    refused([&] { slot.copy(from(static_cast<const int*>(nullptr))); }, "a slot is used after its commit");
  }
  {
    auto slot = in.acquire();
    CHECK(*slot == 1);
    slot.release();
    refused([&] { slot.release(); }, "a slot is released twice, or was never acquired");
    refused([&] { (void)*slot; }, "a slot is used after its release");
  }
  {
    auto slot = out.acquire();
    int two[2] = {};
    refused([&] { slot.copy(from(two, 2)); }, "a copy is longer than its part of the slot");
    auto next = out.acquire();
    refused([&] { slot.commit_last(); }, "commit_last of a slot that is not the newest");
  }
  refused([&] { (void)ring.producer(0); }, "a thread takes an end of a channel that it still holds");
  refused([&] { (void)ring.consumer(1); }, "a thread takes an end of a channel that it still holds");
  {
    std::thread last([&] { out.drain(); });
    in.drain();
    last.join();
  }
  refused([&] { out.acquire(); }, "acquire on a producer end after its drain");
  refused([&] { out.finish(); }, "finish of a producer end after its drain");
  refused([&] { in.acquire(); }, "acquire on a consumer end after its drain");
  refused([&] { in.stop(); }, "stop of a consumer end after its drain");
  refused([&] { (void)ring.producer(1); }, "a thread's rank in its party is out of range");
}

TEST_CASE("aligned copies keep their promise") {
  struct parts {
    alignas(16) int whole[8];
    int head, tail[8];
  };
  using ring_type = channel<parts, 2, producers<by_bulk>, consumers<warps<1>>>;
  ring_type::storage memory;
  ring_type ring(memory);
  alignas(16) int outside[16] = {};
  auto out = ring.producer();
  auto slot = out.acquire();
  const auto said = [&](auto& part, auto move) -> std::string {
    try {
      slot.copy(part, move);
    } catch (const std::logic_error& e) {
      return e.what();
    }
    return {};
  };
  CHECK(said(slot->whole, from_aligned(outside)).empty());
  CHECK(said(slot->whole, from_aligned(outside + 1)).find("an aligned copy has an address") != std::string::npos);
  CHECK(said(slot->tail, from_aligned(outside)).find("an aligned copy has an address") != std::string::npos);
  CHECK(said(slot->tail, from(outside)).empty());
  slot.commit();
  std::thread last([&] { out.drain(); });
  ring.consumer().drain();
  last.join();
}
