// What a body sees: its group of threads and its slots. Never a barrier, never a slot number.
#pragma once

#include <penstock/arch/inline.hpp>
#include <penstock/run/layout.hpp>

namespace penstock {

// The threads that run a compute stage together.
template <class Ops, int Threads, int Barrier>
class group {
 public:
  PENSTOCK_HD constexpr explicit group(int rank) : rank_(rank) {}
  PENSTOCK_HD constexpr int rank() const { return rank_; }
  static PENSTOCK_HD constexpr int size() { return Threads; }
  PENSTOCK_EXEC_CHECK_DISABLE
  PENSTOCK_HD void sync() const { Ops::template barrier<Barrier, Threads>(); }

 private:
  int rank_;
};

// The slots of a window: [k] is the slot of iteration i + k. Only iterations of the run have one: ask has(k).
template <class T, int Size, int First, int Last>
class window_view {
 public:
  PENSTOCK_HD window_view(unsigned char* ring, int stride, unsigned slot, long long before, long long after)
      : ring_(ring), stride_(stride), slot_(slot), before_(before), after_(after) {}

  PENSTOCK_HD const T& operator[](int k) const {
    if constexpr (First < -Size || Last > Size) k %= Size;  // more than a lap away
    int s = static_cast<int>(slot_) + k;
    if (s < 0) s += Size;
    if (s >= Size) s -= Size;
    return *reinterpret_cast<const T*>(ring_ + s * stride_);
  }
  PENSTOCK_HD bool has(int k) const { return k >= First && k <= Last && -k <= before_ && k <= after_; }
  static PENSTOCK_HD constexpr int first() { return First; }
  static PENSTOCK_HD constexpr int last() { return Last; }

 private:
  unsigned char* ring_;
  int stride_;
  unsigned slot_;
  long long before_, after_;  // iterations of the run before and after this one
};

}  // namespace penstock
