// Plans as lines of text, for tests that a person checks by reading:
//   buffer in out depth 4 bytes 4096
//   stage  read async writes in
//   stage  compute sync agent warps skew 1 order 0 reads in[-1,1] writes out takes 20 500
#pragma once

#include <penstock/plan/guards.hpp>

#include <deque>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace plan_text {

using any_plan = penstock::plan<8, 8>;

// The plan's names point here, so it must outlive the plan; a deque does not move them.
inline std::string_view keep(const std::string& name) {
  static std::deque<std::string> names;
  for (const std::string& n : names) if (n == name) return n;
  return names.emplace_back(name);
}

inline int buffer_named(const any_plan& p, const std::string& name) {
  const int b = p.buffer_index(name);
  if (b < 0) throw std::runtime_error("no buffer '" + name + "' in the plan of this test");
  return b;
}

inline penstock::read_access parse_read(const any_plan& p, const std::string& word) {
  const auto bracket = word.find('[');
  penstock::read_access read{buffer_named(p, word.substr(0, bracket)), {}};
  if (bracket == std::string::npos) return read;
  std::istringstream window(word.substr(bracket + 1));
  char comma = 0;
  if (!(window >> read.window.first >> comma >> read.window.last)) throw std::runtime_error("window? " + word);
  return read;
}

inline void parse_stage(any_plan& p, std::istream& words) {
  penstock::stage_info<8> s;
  std::string word, mode, agent;
  words >> word >> mode;
  s.name = keep(word);
  s.mode = mode == "async" ? penstock::mode::async : penstock::mode::sync;
  if (mode != "async" && mode != "sync") throw std::runtime_error("sync or async? " + mode);
  s.order = p.stages.size();
  agent = word;
  std::string clause;
  while (words >> word) {
    if (word == "agent") words >> agent;
    else if (word == "skew") words >> s.skew;
    else if (word == "order") words >> s.order;
    else if (word == "stops") s.stops = true;
    else if (word == "prefetches") s.prefetches = true;
    else if (word == "takes") words >> s.issue_ns >> s.latency_ns;
    else if (word == "reads" || word == "writes") clause = word;
    else if (clause == "reads") s.reads.add(parse_read(p, word));
    else if (clause == "writes") s.writes.add(buffer_named(p, word));
    else throw std::runtime_error("what is '" + word + "' in stage '" + std::string(s.name) + "'?");
  }
  s.agent = p.agent_index(agent);
  if (s.agent < 0) {
    s.agent = p.agents.size();
    p.agents.add(keep(agent));
  }
  p.stages.add(s);
}

// Reads one line into the plan; false if it is no line of a plan.
inline bool parse_line(any_plan& p, const std::string& line) {
  std::istringstream words(line);
  std::string what, word;
  if (!(words >> what)) return false;
  if (what == "buffer") {
    std::vector<std::string> names;
    penstock::buffer_info b;
    while (words >> word && word != "depth") names.push_back(word);
    if (!(words >> b.depth)) throw std::runtime_error("buffer NAME... depth N? " + line);
    if (words >> word) words >> b.bytes;
    for (const std::string& name : names) {
      b.name = keep(name);
      p.buffers.add(b);
    }
    return true;
  }
  if (what != "stage") return false;
  parse_stage(p, words);
  return true;
}

inline any_plan parse(const std::string& text) {
  any_plan p;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (!parse_line(p, line) && line.find_first_not_of(' ') != std::string::npos)
      throw std::runtime_error("a line of a plan? " + line);
  return p;
}

template <class Plan>
std::string describe(const Plan& p) {
  std::ostringstream out;
  for (const auto& b : p.buffers) out << "buffer " << b.name << " depth " << b.depth << "\n";
  for (const auto& s : p.stages) {
    out << "stage  " << s.name << (s.mode == penstock::mode::async ? " async" : " sync") << " agent "
        << p.agents[s.agent] << " skew " << s.skew << " order " << s.order;
    if (!s.reads.empty()) out << " reads";
    for (const auto& r : s.reads) {
      out << " " << p.buffers[r.buffer].name;
      if (r.window.first != 0 || r.window.last != 0) out << "[" << r.window.first << "," << r.window.last << "]";
    }
    if (!s.writes.empty()) out << " writes";
    for (int w : s.writes) out << " " << p.buffers[w].name;
    if (s.stops) out << " stops";
    if (s.prefetches) out << " prefetches";
    if (s.issue_ns != 0 || s.latency_ns != 0) out << " takes " << s.issue_ns << " " << s.latency_ns;
    out << "\n";
  }
  return out.str();
}

inline const char* name_of(penstock::hazard kind) {
  return kind == penstock::hazard::raw ? "RAW" : kind == penstock::hazard::war ? "WAR" : "WAW";
}

template <class Plan>
std::string describe(const Plan& p, const penstock::guard& g) {
  std::ostringstream out;
  out << p.stages[g.waiter].name << "(i) waits for " << p.stages[g.on].name << "(i";
  if (g.distance > 0) out << "-" << g.distance;
  if (g.distance < 0) out << "+" << -g.distance;
  out << ")  " << name_of(g.kind) << " ";
  if (g.buffer == penstock::verdict_buffer) out << "(whether to go on)";
  else out << p.buffers[g.buffer].name;
  return out.str();
}

}  // namespace plan_text
