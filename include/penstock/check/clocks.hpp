// Vector clocks over threads and copies. Each clock has two halves: what is ordered before, and which part of that the
// thread that did it has fenced.
#pragma once

#include <cstddef>
#include <vector>

namespace penstock::check::detail {

class clocks {
 public:
  // How far a copy has come, as epochs of its own component.
  static constexpr unsigned read_done = 1, all_done = 2;

  struct clock {
    unsigned* ordered = nullptr;
    unsigned* covered = nullptr;
  };

  clocks(int threads, int copies, int signals)
      : width_(std::size_t(threads + copies)),
        threads_(threads),
        data_(2 * width_ * std::size_t(threads + 3 * signals)),
        turn_(std::size_t(signals)) {
    for (int t = 0; t < threads; ++t) of(t).ordered[t] = 1;
  }

  clock of(int thread) { return at(thread); }
  // A signal remembers the phase being gathered, the last complete one and the one before that.
  clock gathering(int signal) { return of_signal(signal, 0); }
  clock last(int signal) { return of_signal(signal, 2); }
  clock before_last(int signal) { return of_signal(signal, 1); }
  void advance(int signal) {
    turn_[std::size_t(signal)] = (turn_[std::size_t(signal)] + 1) % 3;
    const clock c = gathering(signal);
    for (std::size_t k = 0; k < 2 * width_; ++k) c.ordered[k] = 0;
  }

  unsigned tick(int thread) { return ++of(thread).ordered[thread]; }
  void join(clock into, clock from) {
    for (std::size_t k = 0; k < 2 * width_; ++k)  // both halves: they are adjacent
      into.ordered[k] = into.ordered[k] < from.ordered[k] ? from.ordered[k] : into.ordered[k];
  }
  void reach(clock c, int copy, unsigned epoch) {
    unsigned& e = c.ordered[threads_ + copy];
    if (e < epoch) e = epoch;
  }
  void cover(int thread) {
    const clock c = of(thread);
    c.covered[thread] = c.ordered[thread];  // nobody fences for another: PTX does not promise that
  }
  bool contains(clock later, clock earlier) const {
    for (std::size_t k = 0; k < width_; ++k) if (later.ordered[k] < earlier.ordered[k]) return false;
    return true;
  }

 private:
  clock at(std::size_t row) { return {&data_[2 * width_ * row], &data_[2 * width_ * row + width_]}; }
  clock of_signal(int signal, int which) {
    const std::size_t s = std::size_t(signal);
    return at(std::size_t(threads_) + 3 * s + std::size_t((turn_[s] + which) % 3));
  }

  std::size_t width_;
  int threads_;
  std::vector<unsigned> data_;
  std::vector<int> turn_;
};

}  // namespace penstock::check::detail
