// Where a pipeline's slots, signals and words lie in its storage.
#pragma once

#include <penstock/lower/table.hpp>

namespace penstock {

inline constexpr int slot_alignment = 128;  // what a tensor map asks of shared memory

struct slot_ring {
  int offset = 0;  // of slot 0, in bytes
  int stride = 0;  // between slots
  int depth = 0;
};

template <int B>
struct storage_layout {
  list<slot_ring, B> buffers{};
  int signals = 0;       // offset of signal 0; 8 bytes each
  int words = 0;         // offset of the two words of the stop protocol
  long long bytes = 0;   // in all, the slack for aligning the base included
};

template <int S, int B, int G, int Steps>
constexpr storage_layout<B> lay_out(const lowering<S, B, G, Steps>& l) {
  storage_layout<B> layout;
  long long at = 0;
  for (const buffer_info& b : l.mapped.buffers) {
    const long long stride = (b.bytes + slot_alignment - 1) / slot_alignment * slot_alignment;
    layout.buffers.add(slot_ring{static_cast<int>(at), static_cast<int>(stride), b.depth});
    at += stride * b.depth;
  }
  layout.signals = static_cast<int>(at);
  at += 8ll * l.signal_count;
  layout.words = static_cast<int>(at);
  at += 16;
  layout.bytes = at + slot_alignment;
  return layout;
}

// The distinct ring sizes of a table: slots of buffers and of signals. Each needs one cursor, whatever it serves.
template <int Capacity>
struct ring_sizes {
  list<int, Capacity> sizes{};
  PENSTOCK_HD constexpr int index(int size) const {
    for (int k = 0; k < sizes.size(); ++k) if (sizes[k] == size) return k;
    return -1;
  }
};

template <int S, int B, int G, int Steps>
constexpr ring_sizes<S + B> sizes_of(const lowering<S, B, G, Steps>& l) {
  ring_sizes<S + B> r;
  for (const buffer_info& b : l.mapped.buffers) if (r.index(b.depth) == -1) r.sizes.add(b.depth);
  for (const signal_ring& s : l.rings) if (s.slots > 0 && r.index(s.slots) == -1) r.sizes.add(s.slots);
  return r;
}

// The place of one instance in a ring of a given size; counters never reset, so it is kept, not divided for.
struct cursor {
  unsigned slot = 0;
  unsigned parity = 0;

  template <int Size>
  PENSTOCK_HD constexpr void advance() {
    if (++slot == static_cast<unsigned>(Size)) {
      slot = 0;
      parity ^= 1u;
    }
  }
  // The place of the instance `Back` before this one (negative: after it).
  template <int Size, int Back>
  PENSTOCK_HD constexpr cursor back() const {
    constexpr int within = ((Back % Size) + Size) % Size;
    constexpr int laps = (Back - within) / Size;
    cursor c{slot, parity ^ (laps & 1 ? 1u : 0u)};
    if constexpr (within > 0) {
      const bool wraps = slot < static_cast<unsigned>(within);
      c.slot = wraps ? slot + static_cast<unsigned>(Size - within) : slot - static_cast<unsigned>(within);
      c.parity ^= wraps ? 1u : 0u;
    }
    return c;
  }
};

}  // namespace penstock
