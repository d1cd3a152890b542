// Built with ThreadSanitizer, which knows nothing of our clocks: sound tables move real bytes without a report, and
// what is planted is reported, in every run.
#include "check/shapes.hpp"

#include <penstock/check/execute.hpp>
#include <penstock/check/mutants.hpp>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <iostream>

using namespace penstock;

namespace {
int reports = 0;
}

extern "C" void __sanitizer_set_report_fd(void*);
// Called in the middle of a report, where another would wait for this one.
extern "C" __attribute__((no_sanitize("thread"))) void __tsan_on_report(void*) { ++reports; }
// The program provokes reports, counts each of them, and goes on.
extern "C" const char* __tsan_default_options() {
  return "halt_on_error=0:exitcode=0:history_size=4:suppress_equal_stacks=0:suppress_equal_addresses=0:symbolize=0";
}

namespace {

// Reports that are meant to come are counted, not read.
class quiet_reports {
 public:
  quiet_reports() : sink_(open("/dev/null", O_WRONLY)) { send_to(sink_ >= 0 ? sink_ : 2); }
  ~quiet_reports() {
    send_to(2);
    if (sink_ >= 0) close(sink_);
  }
  quiet_reports(const quiet_reports&) = delete;
  quiet_reports& operator=(const quiet_reports&) = delete;

 private:
  static void send_to(int fd) { __sanitizer_set_report_fd(reinterpret_cast<void*>(static_cast<std::intptr_t>(fd))); }
  int sink_;
};

struct outcome {
  int reports = 0;
  check::execution last;
};

outcome run(const check::table& t, int n, unsigned seed) {
  reports = 0;
  const check::program p = check::unroll(t, {{n}});
  const check::execution e = check::execute(t, p, seed);
  return {reports, e};
}

template <class Drop>
check::table without(check::table t, Drop&& drop) {
  for (check::checked_agent& a : t.agents) {
    std::erase_if(a.loop, [&](const step& e) { return drop(t, e); });
    std::erase_if(a.drain, [&](const step& e) { return drop(t, e); });
  }
  return t;
}
bool waits_on(const check::table& t, const step& e, const char* on) {
  return e.what == op::wait_signal && t.stages[e.on].name == on;
}

}  // namespace

TEST_CASE("sound tables move their bytes without a report") {
  int runs = 0;
  long long words = 0;
  const auto move_bytes = [&](const shapes::named_table& t) {
    for (const int n : {1, 5, 8}) {
      const outcome o = run(t.table, n, unsigned(1000 * runs + n));
      INFO(t.name, ", ", n, " iterations");
      CHECK(o.reports == 0);
      CHECK(o.last.finished);
      CHECK(o.last.wrong_words == 0);
      CHECK(o.last.words > 0);
      ++runs;
      words += o.last.words;
    }
  };
  shapes::for_each_sound_table(move_bytes);
  shapes::for_each_table<with_source<shapes::three<2, 2>>>("three<2, 2> from a source", move_bytes);
  std::cout << runs << " runs, " << words << " words" << std::endl;
}

TEST_CASE("what is planted is reported in every run") {
  struct planted {
    std::string what;
    check::table broken;
  };
  const check::table specialised_three =
      check::table_of(lowered<shapes::three<2, 2>, specialised<4>, backend::hopper>::table);
  const check::table ampere_three = check::table_of(lowered<shapes::three<2, 2>, uniform<4>, backend::ampere>::table);
  const check::table portable_three =
      check::table_of(lowered<shapes::three<2, 2>, uniform<4>, backend::portable>::table);
  const check::table host_three = check::table_of(lowered<shapes::three<2, 2>, specialised<>, backend::host>::table);
  const planted faults[] = {
      {"no wait for the copy in",
       without(specialised_three, [](auto& t, auto& e) { return waits_on(t, e, "read") && e.stage == 1; })},
      {"no wait for the slot's readers",
       without(specialised_three, [](auto& t, auto& e) { return waits_on(t, e, "write"); })},
      {"no wait for what is copied out",
       without(specialised_three, [](auto& t, auto& e) { return waits_on(t, e, "compute") && e.stage == 2; })},
      {"no wait until a copy out has read",
       without(specialised_three, [](auto&, auto& e) { return e.what == op::wait_reads; })},
      {"no wait for cp.async", without(ampere_three, [](auto&, auto& e) { return e.what == op::wait_groups; })},
      {"no barrier, ampere", without(ampere_three, [](auto&, auto& e) { return e.what == op::barrier; })},
      {"no barrier, portable", without(portable_three, [](auto&, auto& e) { return e.what == op::barrier; })},
      {"no wait on the host", without(host_three, [](auto& t, auto& e) { return waits_on(t, e, "compute"); })},
  };
  const quiet_reports quiet;
  for (const planted& f : faults)
    for (unsigned seed = 1; seed <= 5; ++seed) {
      INFO(f.what, ", seed ", seed);
      CHECK(run(f.broken, 6, seed).reports > 0);
    }
}

TEST_CASE("ThreadSanitizer and the clocks agree on mutants") {
  const quiet_reports quiet;
  int races = 0, sound = 0;
  const auto compare = [&](const shapes::named_table& t) {
    for (const check::mutant& m : check::mutants_of(t.table)) {
      const check::program p = check::unroll(m.broken, {{6}});
      const check::verdict v = check::decide(m.broken, p);
      if (v.kind != check::fault::race && !v.sound()) continue;  // wrong phases and fences are beyond ThreadSanitizer
      INFO(t.name, ": ", m.what, ": ", v.message);
      CHECK((run(m.broken, 6, 1).reports > 0) == !v.sound());
      (v.sound() ? sound : races) += 1;
    }
  };
  shapes::for_each_table<shapes::three<2, 2>>("three<2, 2>", compare);
  shapes::for_each_table<shapes::axpy<4>>("axpy<4>", compare);
  shapes::for_each_table<shapes::chain>("chain", compare);
  std::cout << races << " mutants with a race, " << sound << " without" << std::endl;
  CHECK(races > 0);
  CHECK(sound > 0);
}
