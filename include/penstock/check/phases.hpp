// mbarrier phases under vector clocks, and the three assertions that make one schedule speak for all: no wait can start
// before the phase before its own is complete, none can still wait when the phase after completes, and no arrival can
// count for another phase than the one it is meant for.
#pragma once

#include <penstock/check/clocks.hpp>
#include <penstock/check/report.hpp>

#include <string_view>
#include <vector>

namespace penstock::check::detail {

class phases {
 public:
  phases(const program& p, clocks& c) : p_(p), clocks_(c), states_(p.signals.size()) {
    for (std::size_t s = 0; s < states_.size(); ++s) states_[s].pending = p.signals[s].arrivals;
  }

  bool complete(const event& wait) const { return states_[wait.where].phase > wait.value; }

  // The wait of thread t returns; what is wrong with it, or nothing.
  std::string_view pass(int t, const event& wait) {
    state& s = states_[wait.where];
    if (wait.value < -1) return "reaches further back than the ring of that signal goes";
    if (s.phase > wait.value + 1) return "may still wait when the next phase completes, and then never returns";
    if (wait.value > 0 && !clocks_.contains(clocks_.of(t), clocks_.before_last(wait.where)))
      return "may start before the phase before is complete, and then returns too early";
    if (wait.value >= 0) clocks_.join(clocks_.of(t), clocks_.last(wait.where));
    s.waits.push_back({t, clocks_.tick(t), &wait});
    return {};
  }
  std::string_view arrive(int t, const event& e, int arrivals, int bytes) {
    state& s = states_[e.where];
    if (s.phase != e.value || (e.value > 0 && !clocks_.contains(clocks_.of(t), clocks_.last(e.where))))
      return "can count for another phase than its own";
    clocks_.join(clocks_.gathering(e.where), clocks_.of(t));
    s.bytes += bytes;
    s.pending -= arrivals;
    if (s.pending < 0) return "is one more than the signal counts";
    return finish(e.where);
  }
  std::string_view deliver(int copy) {
    const async_copy_op& c = p_.copies[copy];
    state& s = states_[c.signal];
    if (s.phase != c.phase) return "come after its phase is complete";
    s.bytes -= c.bytes;
    if (s.bytes < 0) return "are more than it expects";
    clocks_.reach(clocks_.gathering(c.signal), copy, clocks::all_done);
    return finish(c.signal);
  }

  // Whose wait was still to return when its signal's next phase completed.
  int late_thread() const { return late_thread_; }

  int phase(int signal) const { return states_[signal].phase; }
  bool idle(int signal) const { return states_[signal].pending == p_.signals[signal].arrivals; }

 private:
  struct passed {
    int thread = -1;
    unsigned epoch = 0;
    const event* wait = nullptr;
  };
  struct state {
    int phase = 0;  // the one that is not complete
    int pending = 0;
    int bytes = 0;
    std::vector<passed> waits;
  };

  std::string_view finish(int signal) {
    state& s = states_[signal];
    if (s.pending != 0 || s.bytes != 0) return {};
    std::size_t kept = 0;
    for (const passed& w : s.waits) {
      if (w.wait->value == s.phase) {
        s.waits[kept++] = w;
      } else if (w.epoch > clocks_.gathering(signal).ordered[w.thread]) {
        late_thread_ = w.thread;
        return "may complete this phase while a thread still waits for the one before; that wait then never returns";
      }
    }
    s.waits.resize(kept);
    clocks_.advance(signal);
    ++s.phase;
    s.pending = p_.signals[signal].arrivals;
    return {};
  }

  const program& p_;
  clocks& clocks_;
  std::vector<state> states_;
  int late_thread_ = -1;
};

}  // namespace penstock::check::detail
