// Which slots a target can hold and its async copies can move.
#pragma once

#include <penstock/plan/problems.hpp>

namespace penstock {

struct slot_limits {
  std::string_view name{};
  int multiple = 1;   // an async copy moves a multiple of this many bytes
  int alignment = 0;  // the strictest that a slot gets, in bytes; 0 where no limit is known
};

namespace detail {

template <int Max, int S, int B>
constexpr void check_slots(const plan<S, B>& p, const slot_limits& slots, problem_list<Max>& out) {
  for (const buffer_info& b : p.buffers)
    if (slots.alignment > 0 && b.alignment > slots.alignment)
      out.report("slot-alignment") << "a slot of buffer '" << b.name << "' is aligned to " << b.alignment
                                   << " bytes; " << slots.name << " aligns slots to at most " << slots.alignment;
  for (const auto& s : p.stages) {
    if (s.mode != mode::async) continue;
    for (int b = 0; b < p.buffers.size(); ++b)
      if ((s.reads_from(b) || s.writes_to(b)) && p.buffers[b].bytes % slots.multiple != 0)
        out.report("slot-bytes") << "async stage '" << s.name << "' moves slots of buffer '"
                                 << p.buffers[b].name << "' of " << p.buffers[b].bytes << " bytes; "
                                 << slots.name << " copies a multiple of " << slots.multiple << " bytes";
  }
}

}  // namespace detail
}  // namespace penstock
