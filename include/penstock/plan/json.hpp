// A plan as the JSON that `penstock explain` reads; what has its default value is left out.
#pragma once

#include <penstock/plan/reject.hpp>

#include <charconv>
#include <string>

namespace penstock {
namespace detail {

// Bytes beyond ASCII pass as they are: names are UTF-8, as JSON is.
inline void append_quoted(std::string& out, std::string_view s) {
  constexpr char digits[] = "0123456789abcdef";
  out += '"';
  for (char c : s) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += digits[c >> 4];
      out += digits[c & 15];
    } else {
      out += c;
    }
  }
  out += '"';
}

template <class Number>
void append_number(std::string& out, Number value) {
  char digits[32];
  out.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

inline void append_key(std::string& out, std::string_view key) {
  if (out.back() != '{') out += ',';
  out += '"';
  out += key;
  out += "\":";
}

// Calls item(element) for each element, with commas between.
template <class Elements, class F>
void append_array(std::string& out, const Elements& elements, std::string_view between, F&& item) {
  out += '[';
  bool first = true;
  for (const auto& e : elements) {
    if (!first) out += between;
    first = false;
    item(e);
  }
  out += ']';
}

inline void append_buffer(std::string& out, const buffer_info& b) {
  out += '{';
  append_key(out, "name");
  append_quoted(out, b.name);
  append_key(out, "depth");
  append_number(out, b.depth == automatic ? 0 : b.depth);  // one that no stage's time decided is no depth
  out += '}';
}

template <int S, int B>
void append_read(std::string& out, const plan<S, B>& p, const read_access& r) {
  const std::string_view buffer = p.buffers[r.buffer].name;
  if (r.window.first == 0 && r.window.last == 0) {
    append_quoted(out, buffer);
    return;
  }
  out += '{';
  append_key(out, "buffer");
  append_quoted(out, buffer);
  append_key(out, "window");
  out += '[';
  append_number(out, r.window.first);
  out += ',';
  append_number(out, r.window.last);
  out += "]}";
}

template <int S, int B>
void append_stage(std::string& out, const plan<S, B>& p, int index) {
  const auto& s = p.stages[index];
  const auto number_unless = [&](auto standard, std::string_view key, auto value) {
    if (value == standard) return;
    append_key(out, key);
    append_number(out, value);
  };
  out += '{';
  append_key(out, "name");
  append_quoted(out, s.name);
  append_key(out, "mode");
  out += s.mode == mode::async ? "\"async\"" : "\"sync\"";
  if (p.agents[s.agent] != s.name) {
    append_key(out, "agent");
    append_quoted(out, p.agents[s.agent]);
  }
  number_unless(0, "skew", s.skew);
  number_unless(index, "order", s.order);
  if (!s.reads.empty()) {
    append_key(out, "reads");
    append_array(out, s.reads, ",", [&](const read_access& r) { append_read(out, p, r); });
  }
  if (!s.writes.empty()) {
    append_key(out, "writes");
    append_array(out, s.writes, ",", [&](int w) { append_quoted(out, p.buffers[w].name); });
  }
  number_unless(0.0, "issue", s.issue_ns);
  number_unless(0.0, "latency", s.latency_ns);
  out += '}';
}

}  // namespace detail

// One object, a line for each stage, without a newline at the end.
template <int S, int B>
std::string plan_json(const plan<S, B>& p) {
  std::string out = "{";
  detail::append_key(out, "buffers");
  detail::append_array(out, p.buffers, ",", [&](const buffer_info& b) { detail::append_buffer(out, b); });
  out += ",\n \"stages\":";
  int index = 0;
  detail::append_array(out, p.stages, ",\n           ",
                       [&](const auto&) { detail::append_stage(out, p, index++); });
  out += '}';
  return out;
}

// The plan of pipeline P, sound or not: `explain` says what is wrong with it. A name that P does not declare has
// no place in its plan, so that alone does not compile.
// The format is that of schedules: it has no place for slot types, for warps, or for who may stop the run, which in
// general only the bodies tell. `explain` judges the run to its end; a stop adds waits for its decision where the data
// bring none, and forbids windows past it: run<P> derives and checks those.
template <class P>
std::string plan_json() {
  if constexpr (!detail::knows_its_names<P>()) (void)accepted<P>;
  return plan_json(P::plan);
}

}  // namespace penstock
