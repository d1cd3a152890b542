// Which slots an async copy can move.
#pragma once

#include <penstock/plan/problems.hpp>

namespace penstock {

// What one async copy of a target can move between memory and a slot.
struct copy_limits {
  std::string_view name{};
  int multiple = 1;   // the bytes of a slot are a multiple of this
  int alignment = 0;  // the strictest that a slot can have, in bytes; 0 where no limit is known
};

namespace detail {

template <int Max, int S, int B>
constexpr void check_slot(const stage_info<B>& s, const buffer_info& b, const copy_limits& copy,
                          problem_list<Max>& out) {
  if (b.bytes % copy.multiple != 0)
    out.report("slot-bytes") << "async stage '" << s.name << "' moves slots of buffer '" << b.name << "' of " << b.bytes
        << " bytes; " << copy.name << " copies a multiple of " << copy.multiple << " bytes";
  if (copy.alignment > 0 && b.alignment > copy.alignment)
    out.report("slot-alignment") << "async stage '" << s.name << "' moves slots of buffer '" << b.name
        << "' that are aligned to " << b.alignment << " bytes; " << copy.name << " has slots aligned to at most "
        << copy.alignment << " bytes";
}

// An async stage moves every buffer that it names, once.
template <int Max, int S, int B>
constexpr void check_slots(const plan<S, B>& p, const copy_limits& copy, problem_list<Max>& out) {
  for (const auto& s : p.stages) {
    if (s.mode != mode::async) continue;
    for (const read_access& r : s.reads) check_slot<Max, S>(s, p.buffers[r.buffer], copy, out);
    for (int w : s.writes) if (!s.reads_from(w)) check_slot<Max, S>(s, p.buffers[w], copy, out);
  }
}

}  // namespace detail
}  // namespace penstock
