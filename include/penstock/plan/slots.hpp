// Which slots a target can hold and its async copies can move.
#pragma once

#include <penstock/plan/problems.hpp>

namespace penstock {

struct slot_limits {
  std::string_view name{};
  int multiple = 1;     // an async copy moves a multiple of this many bytes
  int alignment = 0;    // the strictest that a slot gets, in bytes; 0 where no limit is known
  bool single = false;  // an async stage that only writes or only reads moves one slot an iteration
};

namespace detail {

// Nothing in a schedule is wrong with other async stages; but a copy has one end in a slot, and one outside.
template <int Max, int S, int B>
constexpr void check_copy(const plan<S, B>& p, const stage_info<B>& s, problem_list<Max>& out) {
  int reads = 0;
  for (const read_access& r : s.reads) if (!r.item) ++reads;
  const int writes = s.writes.size();
  if (reads == 0 && writes == 0)
    out.report("moves-nothing") << "async stage '" << s.name
                                << "' neither reads nor writes a buffer; it must declare what it moves";
  else if ((reads == 0 && writes > 1) || (writes == 0 && reads > 1))
    out.report("moves-many") << "async stage '" << s.name << "' " << (writes > 1 ? "writes " : "reads ")
                             << writes + reads
                             << " buffers; a copy moves one slot: give each buffer a stage of its own";
  else if (writes == 0)
    for (const read_access& r : s.reads)
      if (!r.item && r.window.first != r.window.last)
        out.report("moves-many") << "async stage '" << s.name << "' reads window [" << r.window.first << ","
                                 << r.window.last << "] of buffer '" << p.buffers[r.buffer].name
                                 << "'; a copy moves one slot";
}

template <int Max, int S, int B>
constexpr void check_slots(const plan<S, B>& p, const slot_limits& slots, problem_list<Max>& out) {
  for (const buffer_info& b : p.buffers)
    if (slots.alignment > 0 && b.alignment > slots.alignment)
      out.report("slot-alignment") << "a slot of buffer '" << b.name << "' is aligned to " << b.alignment
                                   << " bytes; " << slots.name << " aligns slots to at most " << slots.alignment;
  for (const auto& s : p.stages) {
    if (s.mode != mode::async) continue;
    if (slots.single) check_copy(p, s, out);
    for (int b = 0; b < p.buffers.size(); ++b)
      if ((s.reads_from(b) || s.writes_to(b)) && p.buffers[b].bytes % slots.multiple != 0)
        out.report("slot-bytes") << "async stage '" << s.name << "' moves slots of buffer '"
                                 << p.buffers[b].name << "' of " << p.buffers[b].bytes << " bytes; "
                                 << slots.name << " copies a multiple of " << slots.multiple << " bytes";
  }
}

}  // namespace detail
}  // namespace penstock
