// A pipeline on the host: one thread an agent, or everything in the calling thread.
#pragma once

#include <penstock/run/agent.hpp>
#include <penstock/run/options.hpp>
#include <penstock/run/result.hpp>

#include <atomic>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace penstock::detail {

template <class L>
class host_line {
  using ops = arch::host::ops;
  struct aligned_delete {
    void operator()(unsigned char* p) const { ::operator delete[](p, std::align_val_t{slot_alignment}); }
  };
  std::unique_ptr<unsigned char[], aligned_delete> storage_;
  std::vector<arch::host::counter> counters_;
  std::atomic<bool> abandoned_{false};
  bool over_ = false;  // an exception has ended a run: its agents' counters may differ
  static_assert(L::layout.bytes < (1ll << 31), "the slots of a pipeline take less than 2^31 bytes");
  ops::word stopped_{-1}, ended_{-1};

 protected:
  line_state<L, ops> states_[L::agents > 0 ? L::agents : 1];

 private:
  template <int A, class... Bound>
  long long run_agent(long long n, Bound&... bound) {
    agent_loop<L, ops, A> loop(states_[A], n, 0);
    return loop.run(bound...);
  }

  template <int... A, class... Bound>
  long long run_threads(long long n, std::integer_sequence<int, A...>, Bound&... bound) {
    std::exception_ptr first;
    long long iterations[sizeof...(A)]{};
    std::mutex guard;
    const auto attempt = [&](auto&& body) {
      try {
        body();
      } catch (const arch::host::abandoned_wait&) {  // another agent threw; its exception is the one to report
      } catch (...) {
        const std::lock_guard lock(guard);
        if (!first) first = std::current_exception();
        abandoned_.store(true, std::memory_order_release);
      }
    };
    std::vector<std::thread> threads;
    try {
      threads.reserve(sizeof...(A));
      (threads.emplace_back([&] { attempt([&] { iterations[A] = run_agent<A>(n, bound...); }); }), ...);
    } catch (...) {  // a thread could not be started: those that were must not wait for it
      const std::lock_guard lock(guard);
      if (!first) first = std::current_exception();
      abandoned_.store(true, std::memory_order_release);
    }
    for (std::thread& t : threads) t.join();
    if (first) std::rethrow_exception(first);
    return iterations[0];
  }

 public:
  host_line()
      : storage_(static_cast<unsigned char*>(::operator new[](static_cast<std::size_t>(L::layout.bytes),
                                                              std::align_val_t{slot_alignment}))),
        counters_(L::plan.stages.count) {
    for (auto& c : counters_) c.abandoned = &abandoned_;
    for (auto& s : states_) {
      s.storage = storage_.get();
      s.signals = counters_.data();
      s.stopped = &stopped_;
      s.ended = &ended_;
    }
  }
  host_line(const host_line&) = delete;
  host_line& operator=(const host_line&) = delete;

  void drain() {}  // every thread of a run has been joined
  long long instances() const { return states_[0].base; }

  // An exception of a stage ends the run: the first one is rethrown here, and the line runs no more.
  template <class... Bound>
  run_result run(long long n, Bound&... bound) {
    if (over_) throw std::logic_error("penstock: an exception has ended an earlier run of this pipeline object");
    const long long before = states_[0].base;
    long long iterations = 0;
    over_ = true;
    if constexpr (L::agents == 1) iterations = run_agent<0>(n, bound...);
    else iterations = run_threads(n, std::make_integer_sequence<int, L::agents>{}, bound...);
    over_ = false;
    const long long stopped = ops::load(&stopped_);
    if (L::stops && stopped >= before) return run_result{stopped - before + 1, true};
    return run_result{iterations, false};
  }
};

}  // namespace penstock::detail
