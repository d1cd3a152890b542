// Where a channel's slots, barriers and words lie, and what is known of one instance of a slot.
#pragma once

#include <penstock/ring/parties.hpp>
#include <penstock/run/layout.hpp>

namespace penstock::detail {

template <class T, int Depth, int Consumers>
struct channel_layout {
  static constexpr int alignment = alignof(T) > slot_alignment ? static_cast<int>(alignof(T)) : slot_alignment;
  static constexpr long long stride = (static_cast<long long>(sizeof(T)) + alignment - 1) / alignment * alignment;
  static constexpr long long full = stride * Depth;    // barriers of the filled slots, 8 bytes each
  static constexpr long long empty = full + 8 * Depth;  // barriers of the free ones
  static constexpr long long marks = empty + 8 * Depth;  // what each slot holds, one word each
  static constexpr long long stops = marks + 8 * Depth;  // where each consumer asked for an end, one word each
  static constexpr long long bytes = (stops + 8 * Consumers + alignment - 1) / alignment * alignment;
};

// What the producers say of a slot, beside its contents.
enum class mark : int { data, skipped, last, end, closed };

// An instance: its number since the channel was made, its slot and the parity of its phase.
struct position {
  cursor at{};
  long long count = 0;

  template <int Depth>
  PENSTOCK_HD constexpr void advance() {
    at.advance<Depth>();
    ++count;
  }
};

// What one thread knows of a producer that it is part of.
struct producer_state {
  position next{};
  long long run_start = 0;  // the instance that the present run began with
  bool taken = false;       // by an end
};

// What one thread knows of a consumer that it is part of.
struct consumer_state {
  position next{};
  int kept = 0;           // slots released by the caller but still being read
  bool stopping = false;  // pass over what is left of the run
  bool at_last = false;   // the newest slot is the last one of its run
  bool closed = false;    // the producers have gone
  bool taken = false;     // by an end
};

enum class hold : unsigned char { nothing, slot, not_yet };

}  // namespace penstock::detail
