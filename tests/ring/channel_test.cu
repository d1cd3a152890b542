// Every script on every shape of channel in thread blocks, on the backend this file is compiled for.
#include "ring/blocks.hpp"

using namespace rings;

TEST_CASE("bulk copies in") {
  play_every_script<bulk_to_threads, 1>();
  play_every_script<bulk_to_threads, 2>();
  play_every_script<bulk_to_threads, 7>();
}
TEST_CASE("bulk copies in and out") {
  play_every_script<bulk_to_bulk, 1>();
  play_every_script<bulk_to_bulk, 4>();
}
TEST_CASE("stores") {
  play_every_script<stores_to_threads, 1>();
  play_every_script<stores_to_threads, 3>();
}
TEST_CASE("stores and bulk copies out, released as late as can be") {
  play_every_script<stores_to_bulk, 1>();
  play_every_script<stores_to_bulk, 4>();
}
TEST_CASE("cp.async") {
  play_every_script<copies_to_threads, 3>();
  play_every_script<copies_to_bulk, 2>();
}
TEST_CASE("parties that are no whole warps") { play_every_script<odd_parties, 3>(); }
TEST_CASE("several producers and consumers") {
  play_every_script<several, 1>();
  play_every_script<several, 4>();
  play_every_script<many_producers, 3>();
}

TEST_CASE("random scripts") {
  std::vector<script> scripts;
  const word count = short_tests() ? 40 : 2000;
  for (word k = 0; k < count; ++k) {
    const word h = mix(k + 12345u);
    script s;
    s.n = h % 17;
    s.runs = 1 + static_cast<int>(h >> 5 & 7u);
    s.sessions = 1 + static_cast<int>(h >> 8 & 1u);
    s.stop_at = (h >> 9 & 1u) != 0 ? static_cast<long long>(h >> 10 & 31u) % (s.n + 2) : -1;
    s.leave_in = (h >> 15 & 3u) == 0 ? static_cast<int>(h >> 17 & 7u) : -1;
    s.skip_every = static_cast<int>(h >> 20 & 3u);
    s.ends_with_data = (h >> 22 & 1u) != 0;
    s.polls = (h >> 23 & 1u) != 0;
    s.seed = (h >> 24 & 1u) != 0 ? h : 0;
    scripts.push_back(s);
  }
  play_all<several<3>>(scripts);
  play_all<bulk_to_bulk<3>>(scripts);
  play_all<stores_to_bulk<3>>(scripts);
}
