// Why a plan is refused, each reason in one sentence that names the stages, the buffers and the numbers.
#pragma once

#include <penstock/plan/depths.hpp>
#include <penstock/plan/text.hpp>

namespace penstock {

struct problem {
  std::string_view rule{};
  text<400> message{};
};

// What the target can hold; zero means no limit is known (a plan without slot sizes, or the host).
struct target_limits {
  std::string_view name{};
  long long shared_bytes = 0;
};

namespace detail {

template <int Max>
struct problem_list : list<problem, Max> {
  constexpr bool full() const { return this->count == Max; }
  // The caller finishes the sentence; one past the capacity is written to a spare and dropped.
  constexpr text<400>& report(std::string_view rule) {
    if (full()) return spare.message;
    this->items[this->count].rule = rule;
    return this->items[this->count++].message;
  }
  problem spare{};
};

constexpr std::string_view hazard_name(hazard k) {
  return k == hazard::raw ? "RAW" : k == hazard::war ? "WAR" : "WAW";
}

template <int Max, int S, int B>
constexpr void check_names(const plan<S, B>& p, problem_list<Max>& out) {
  for (int i = 0; i < p.buffers.size(); ++i)
    for (int j = 0; j < i; ++j)
      if (p.buffers[i].name == p.buffers[j].name)
        out.report("duplicate-name") << "two buffers are named '" << p.buffers[i].name << "'; give each its own name";
  for (int i = 0; i < p.stages.size(); ++i)
    for (int j = 0; j < i; ++j)
      if (p.stages[i].name == p.stages[j].name)
        out.report("duplicate-name") << "two stages are named '" << p.stages[i].name << "'; give each its own name";
  for (const auto& s : p.stages) {
    for (int i = 0; i < s.reads.size(); ++i)
      for (int j = 0; j < i; ++j)
        if (s.reads[i].buffer == s.reads[j].buffer)
          out.report("duplicate-access") << "stage '" << s.name << "' reads buffer '"
              << p.buffers[s.reads[i].buffer].name << "' twice; give it one read with one window";
    for (int i = 0; i < s.writes.size(); ++i)
      for (int j = 0; j < i; ++j)
        if (s.writes[i] == s.writes[j])
          out.report("duplicate-access") << "stage '" << s.name << "' writes buffer '" << p.buffers[s.writes[i]].name
              << "' twice; name it once";
  }
}

template <int Max, int S, int B>
constexpr void check_warps(const plan<S, B>& p, problem_list<Max>& out) {
  for (int i = 0; i < p.stages.size(); ++i)
    for (int j = 0; j < i; ++j) {
      const auto &a = p.stages[j], &b = p.stages[i];
      if (a.agent == b.agent && a.warps > 0 && b.warps > 0 && a.warps != b.warps)
        out.report("agent-warps") << "agent '" << p.agents[b.agent] << "' has " << a.warps << " warps for stage '"
            << a.name << "' but " << b.warps << " for '" << b.name << "'; state one number, or state it once";
    }
}

template <int Max, int S, int B>
constexpr void check_buffers(const plan<S, B>& p, problem_list<Max>& out) {
  for (int b = 0; b < p.buffers.size(); ++b) {
    const buffer_info& buffer = p.buffers[b];
    if (buffer.depth == automatic)
      out.report("depth") << "the depth of buffer '" << buffer.name << "' is automatic, but no stage states a time "
          << "that occupies its agent; give the stages timing<issue, latency> or the buffer a depth";
    else if (buffer.depth < 1 || buffer.depth > max_depth)
      out.report("depth") << "buffer '" << buffer.name << "' has depth " << buffer.depth << "; a ring has 1 to "
                          << max_depth << " slots";
    bool read = false, written = false;
    for (const auto& s : p.stages) {
      read = read || s.reads_from(b);
      written = written || s.writes_to(b);
    }
    if (read && !written)
      out.report("never-written") << "buffer '" << buffer.name << "' is read but no stage writes it";
    if (written && !read)
      out.report("never-read") << "buffer '" << buffer.name << "' is written but no stage reads it";
    if (!read && !written)
      out.report("unused") << "buffer '" << buffer.name << "' is neither read nor written by any stage";
  }
}

template <int Max, int S, int B>
constexpr void check_times(const plan<S, B>& p, problem_list<Max>& out) {
  const auto possible = [](double ns) { return ns >= 0 && ns <= max_time_ns; };
  for (const auto& s : p.stages)
    if (!possible(s.issue_ns) || !possible(s.latency_ns))
      out.report("timing") << "stage '" << s.name << "' states a time outside 0 to "
                           << static_cast<long long>(max_time_ns) << " nanoseconds";
}

template <int Max, int S, int B>
constexpr void check_reach(const plan<S, B>& p, problem_list<Max>& out) {
  const auto within = [](int value, int limit) { return value >= -limit && value <= limit; };
  for (const auto& s : p.stages) {
    if (!within(s.skew, max_skew))
      out.report("skew") << "stage '" << s.name << "' states skew " << s.skew << ", outside " << -max_skew << " to "
                         << max_skew;
    for (const read_access& r : s.reads)
      if (!within(r.window.first, max_offset) || !within(r.window.last, max_offset))
        out.report("window") << "stage '" << s.name << "' reads window [" << r.window.first << "," << r.window.last
                             << "] of buffer '" << p.buffers[r.buffer].name << "', outside " << -max_offset << " to "
                             << max_offset;
  }
}

template <int Max, int S, int B>
constexpr void check_reads(const plan<S, B>& p, problem_list<Max>& out) {
  for (int r = 0; r < p.stages.size(); ++r)
    for (const read_access& read : p.stages[r].reads) {
      const auto& buffer = p.buffers[read.buffer];
      if (read.window.first > read.window.last) {
        out.report("window") << "stage '" << p.stages[r].name << "' reads window [" << read.window.first << ","
            << read.window.last << "] of buffer '" << buffer.name << "'; the first offset must not exceed the last";
        continue;
      }
      bool written = false, earlier = false;
      int later = -1;
      for (int w = 0; w < p.stages.size(); ++w)
        if (p.stages[w].writes_to(read.buffer)) {
          written = true;
          if (w < r) earlier = true;
          if (w > r) later = w;
        }
      if (written && !earlier && read.window.last >= 0)
        out.report("read-before-write") << "stage '" << p.stages[r].name << "' reads buffer '" << buffer.name
            << "' at offset " << read.window.last << " before any stage declared earlier writes it";
      if (later >= 0 && read.window.last > 0)
        out.report("look-ahead") << "stage '" << p.stages[r].name << "' looks " << read.window.last
            << " ahead in buffer '" << buffer.name << "', which the later stage '" << p.stages[later].name
            << "' also writes";
      // copies in go on past a stop as far as windows look; what a body would have written there never comes
      int stopper = -1, writer = -1;
      for (int v = 0; v < p.stages.size(); ++v) {
        if (p.stages[v].stops) stopper = v;
        if (v < r && p.stages[v].writes_to(read.buffer) && !p.stages[v].prefetches) writer = v;
      }
      if (stopper >= 0 && writer >= 0 && !read.item && read.window.last > 0)
        out.report("look-past-stop") << "stage '" << p.stages[r].name << "' looks " << read.window.last
            << " ahead in buffer '" << buffer.name << "', which the body of stage '" << p.stages[writer].name
            << "' writes, but stage '" << p.stages[stopper].name << "' can stop before that";
    }
}

template <int S, int B>
constexpr void describe(const plan<S, B>& p, const cycle<S>& c, text<400>& out) {
  out << "'" << p.stages[c.edges[0].from].name << "'";
  for (const cycle_edge& e : c.edges) {
    out << " -> '" << p.stages[e.to].name << "' (";
    if (e.guarded && e.wait.buffer == verdict_buffer) out << "decision to go on ";
    else if (e.guarded) out << hazard_name(e.wait.kind) << " on '" << p.buffers[e.wait.buffer].name << "' ";
    else out << "program order ";
    out << e.distance << ")";
  }
}

template <int Max, int S, int B>
constexpr void blame_depth(const plan<S, B>& p, int buffer, int enough, const cycle<S>& c, problem_list<Max>& out) {
  text<400>& m = out.report("depth");
  m << "buffer '" << p.buffers[buffer].name << "' has depth " << p.buffers[buffer].depth
    << "; the smallest depth that works is " << enough << ": cycle of distance " << c.distance << ": ";
  describe(p, c, m);
}

template <int Max, int S, int B>
constexpr void check_depths(const plan<S, B>& p, problem_list<Max>& out) {
  const cycle<S> c = find_deadlock(p);
  if (!c.found()) return;
  const open_rings<S, B> open = open_all(p);
  // one buffer that is too shallow by itself is the common case, and the one with a number to give
  for (int r = 0; r < p.stages.size(); ++r)
    for (const read_access& read : p.stages[r].reads) {
      const int slots = read.window.last - read.window.first + 1;
      const buffer_info& buffer = p.buffers[read.buffer];
      if (slots <= buffer.depth) continue;
      const int enough = smallest_depth(p, open, read.buffer);
      text<400>& m = out.report("window-depth");
      m << "stage '" << p.stages[r].name << "' reads window [" << read.window.first << "," << read.window.last
        << "] of buffer '" << buffer.name << "', " << slots << " slots, but its depth is " << buffer.depth;
      if (enough > 0) m << "; the smallest depth that works is " << enough;
      else m << "; depth " << slots << " is the least such a window can do with";
    }
  if (!out.empty()) return;
  for (int b = 0; b < p.buffers.size(); ++b)
    if (const int enough = smallest_depth(p, open, b); enough > 0) blame_depth(p, b, enough, c, out);
  if (!out.empty()) return;
  // rings can be too shallow together: hold each one against others that are deep enough
  for (int b = 0; b < p.buffers.size(); ++b) {
    const int enough = least_slots(open.fixed, open.rings[b]);
    if (enough <= p.buffers[b].depth) continue;
    plan<S, B> others_deep = p;
    for (int k = 0; k < p.buffers.size(); ++k) if (k != b) others_deep.buffers[k].depth = max_depth;
    blame_depth(others_deep, b, enough, find_deadlock(others_deep), out);
  }
  if (!out.empty()) return;
  text<400>& m = out.report("deadlock");
  m << "these stages wait for each other, cycle of distance " << c.distance << " (must be positive): ";
  describe(p, c, m);
}

template <int Max, int S, int B>
constexpr void check_bytes(const plan<S, B>& p, const target_limits& target, problem_list<Max>& out) {
  for (const auto& s : p.stages) {
    if (s.mode != mode::async) continue;
    // one completion covers everything that the instance writes, and a barrier phase counts fewer than 2^20 bytes
    long long bytes = 0;
    for (int b : s.writes) bytes += p.buffers[b].bytes;
    if (bytes >= (1 << 20))
      out.report("phase-bytes") << "async stage '" << s.name << "' writes " << bytes
          << " bytes an iteration; one barrier phase counts at most 1048575";
  }
  long long total = 0;
  for (const buffer_info& b : p.buffers) total += b.bytes * b.depth;
  if (target.shared_bytes > 0 && total > target.shared_bytes)
    out.report("shared-memory") << "the buffers take " << total << " bytes of shared memory; " << target.name
                                << " has " << target.shared_bytes << " a block";
}

}  // namespace detail

// At most Max problems, the ones a user should fix first in front.
template <int Max, int S, int B>
constexpr detail::problem_list<Max> find_problems(const plan<S, B>& p, const target_limits& target = {}) {
  detail::problem_list<Max> out;
  if (p.stages.empty()) out.report("empty") << "the plan has no stages; a pipeline needs at least one";
  detail::check_names(p, out);
  detail::check_warps(p, out);
  detail::check_buffers(p, out);
  detail::check_times(p, out);
  detail::check_reach(p, out);
  detail::check_reads(p, out);
  if (out.empty()) detail::check_depths(p, out);  // distances mean little while the accesses are wrong
  if (out.empty()) detail::check_bytes(p, target, out);
  return out;
}

}  // namespace penstock
