// What a kernel of the PTX lint may execute, as its lowering table promises: a regular language over synchronisation
// instructions, and some of its words in full, the traces of particular runs.
#pragma once

#include <penstock/lower/instructions.hpp>
#include <penstock/run/layout.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace lint {

using namespace penstock;

// Symbols are numbered; node texts are JSON: a number, ["seq", …], ["alt", …], ["opt", x] or ["star", x].
using node = std::string;

inline node joined(const char* kind, const std::vector<node>& parts) {
  std::string out = std::string("[\"") + kind + "\"";
  for (const node& p : parts) out += "," + p;
  return out + "]";
}
inline node seq(const std::vector<node>& parts) { return joined("seq", parts); }
inline node opt(const node& x) { return joined("opt", {x}); }

struct move_kinds {
  bool ragged = false;  // the functions return ranges of any address and size
  bool tensor = false;  // they return boxes of arrays, mapped or not
  int rank = 0;         // of those
};

template <class L>
class language {
 public:
  language(const L& l, const move_kinds& moves, bool sourced, int runs)
      : l_(l), layout_(lay_out(l)), moves_(moves), sourced_(sourced), runs_(runs) {
    for (const auto& s : l.mapped.stages) stops_ = stops_ || s.stops;
  }

  // {"allowed": node, "words": [[symbol, …], …], "symbols": […]}
  std::string json() {
    std::string out = "{\"allowed\":" + kernel() + ",\"words\":[";
    const int most = longest();
    bool first = true;
    const auto add = [&](int agent, int n, bool skips) {
      out += std::string(first ? "" : ",") + "[";
      const std::vector<int> w = word(agent, n, skips);
      for (std::size_t k = 0; k < w.size(); ++k) out += (k > 0 ? "," : "") + std::to_string(w[k]);
      out += "]";
      first = false;
    };
    if (!sourced_ || l_.agents.size() > 1) add(-1, 0, false);  // a source is asked at least once
    for (int a = 0; a < l_.agents.size(); ++a)
      for (int n : {1, 2, most}) {
        if (!sourced_) add(a, n, false);
        if (sourced_ || stops_) add(a, n, true);
      }
    out += "],\"symbols\":[";
    for (std::size_t k = 0; k < symbols_.size(); ++k) out += (k > 0 ? "," : "") + symbols_[k];
    return out + "]}";
  }

 private:
  int longest() const {
    int most = 1;
    for (const buffer_info& b : l_.mapped.buffers) most = b.depth > most ? b.depth : most;
    for (const auto& s : l_.mapped.stages) most = s.skew > most ? s.skew : most;
    return 2 * most + 1;
  }

  // ------------------------------------------------------------------------------ symbols
  // An address in the ring of `stage`, `back` instances behind the cursor.
  int symbol(const emitted& e, int stage = -1, int back = 0) {
    std::string op(opcode_of(e.what));
    if (e.what == instruction::call) op = "call";
    if (e.what == instruction::tensor_in || e.what == instruction::tensor_out)
      op.insert(op.find("tensor.") + 7, std::to_string(moves_.rank) + "d.");
    std::string text = "{\"op\":\"" + op + "\"";
    if (e.what == instruction::wait_phase || e.what == instruction::async_copy) text += ",\"repeats\":true";
    if (!is_ragged_size(e)) text += ",\"number\":" + std::to_string(e.number);
    if (e.threads > 0) text += ",\"threads\":" + std::to_string(e.threads);
    if (stage >= 0) {
      const signal_ring& ring = l_.rings[stage];
      const int slots = ring.slots, within = (back % slots + slots) % slots;
      if (e.what == instruction::wait_phase && slots > 1)
        text += ",\"flips\":" + std::to_string((back - within) / slots & 1);
      text += ",\"at\":" + std::to_string(layout_.signals + 8 * ring.first) + ",\"slots\":" + std::to_string(slots) +
              ",\"back\":" + std::to_string(within) + ",\"ring\":\"" + std::string(l_.mapped.stages[stage].name) + "\"";
    }
    return numbered(text + "}");
  }
  int fixed_symbol(const emitted& e, int signal) {
    return numbered("{\"op\":\"" + std::string(opcode_of(e.what)) + "\",\"number\":" + std::to_string(e.number) +
                    ",\"at\":" + std::to_string(layout_.signals + 8 * signal) + ",\"slots\":1,\"back\":0,\"ring\":\"" +
                    std::to_string(signal) + "\"}");
  }
  int numbered(const std::string& text) {
    const auto [at, is_new] = numbers_.try_emplace(text, static_cast<int>(symbols_.size()));
    if (is_new) symbols_.push_back(text);
    return at->second;
  }
  bool is_ragged_size(const emitted& e) const {
    return moves_.ragged && (e.what == instruction::arrive_expecting || e.what == instruction::bulk_in ||
                             e.what == instruction::bulk_out);
  }
  static bool addresses_signal(instruction what) {
    return what == instruction::wait_phase || what == instruction::arrive || what == instruction::arrive_expecting ||
           what == instruction::bulk_in || what == instruction::tensor_in;
  }
  int symbol_in(const emitted& e, int ring_of, int back) {
    return addresses_signal(e.what) ? symbol(e, ring_of, back) : symbol(e);
  }

  // ------------------------------------------------------------------------------ steps
  struct place {
    int agent = 0;
    int ring = -1;  // whose signal the step addresses
    int back = 0;   // how far behind the agent's cursor
  };
  place place_of_step(int agent, const step& s, bool draining) const {
    const int ring = s.on >= 0 ? s.on : s.stage;
    const int skew = draining ? l_.agents[agent].last_skew : s.stage >= 0 ? l_.mapped.stages[s.stage].skew : 0;
    return {agent, ring, skew + s.distance};
  }
  std::vector<int> symbols_of(const emission& all, const place& at) {
    std::vector<int> out;
    for (const emitted& e : all) out.push_back(symbol_in(e, at.ring, at.back));
    return out;
  }
  // How few of an agent's lanes that is.
  int narrowness(lanes by, int agent) const {
    if (by == lanes::all || (by == lanes::first_warp && l_.agents[agent].warps == 1)) return 0;
    return by == lanes::first_warp ? 1 : 2;
  }
  // Instructions [from, to) as lanes of this narrowness see them: what only fewer execute is optional together, and
  // whether a thread has anything to copy by itself depends on its rank.
  node phrase(const emission& all, const place& at, int from, int to, int narrow = 0) {
    std::vector<node> parts;
    for (int k = from; k < to; ++k) {
      if (narrowness(all[k].by, at.agent) <= narrow) {
        const node one = std::to_string(symbol_in(all[k], at.ring, at.back));
        parts.push_back(all[k].what == instruction::async_copy ? opt(one) : one);
        continue;
      }
      const int first = k;
      int narrowest = narrowness(all[k].by, at.agent);
      for (; k < to && narrowness(all[k].by, at.agent) > narrow; ++k)
        narrowest = std::min(narrowest, narrowness(all[k].by, at.agent));
      parts.push_back(opt(phrase(all, at, first, k--, narrowest)));
    }
    return seq(parts);
  }
  node phrase(const emission& all, const place& at) { return phrase(all, at, 0, all.size()); }
  static emission with(emission first, const emission& second) {
    for (const emitted& e : second) first.add(e);
    return first;
  }

  bool ends_early() const { return stops_ || sourced_; }
  emission issue_up_to_call(const step& s) const {
    emission out;
    for (const emitted& e : instructions_of(l_, l_.mapped.stages[s.stage].agent, s)) {
      out.add(e);
      if (e.what == instruction::call) break;
    }
    return out;
  }
  // Every way to carry out an issue, the usual one first.
  std::vector<emission> ways_to_issue(int agent, const step& s) const {
    const int stage = s.stage;
    std::vector<emission> ways;
    const emission start = issue_up_to_call(s), alone = arrival_alone(l_, stage);
    if (!is_bulk(l_.engines[stage]) || !(moves_.ragged || moves_.tensor)) {
      ways.push_back(instructions_of(l_, agent, s));
    } else {
      const emission by_engine = copy_by_engine(l_, stage, moves_.tensor), by_threads = copy_by_threads(l_, stage);
      ways.push_back(with(start, by_engine));
      ways.push_back(with(with(start, by_threads), alone));
      if (moves_.ragged) {
        ways.push_back(with(with(start, by_threads), by_engine));
        ways.push_back(with(start, alone));
      }
    }
    if (ends_early() && l_.engines[stage] != engine_kind::source)
      ways.push_back(with(before_issue(l_, stage), alone));  // past the end of the run
    return ways;
  }

  node step_node(int agent, const step& s, bool draining) {
    const place at = place_of_step(agent, s, draining);
    std::vector<node> ways;
    if (s.what == op::issue && !draining)
      for (const emission& way : ways_to_issue(agent, s)) ways.push_back(phrase(way, at));
    else
      ways.push_back(phrase(instructions_of(l_, agent, s, draining), at));
    const node all = ways.size() == 1 ? ways[0] : joined("alt", ways);
    return always(agent, s, draining) ? all : opt(all);
  }
  // Is it carried out in every step, whatever the length of the run?
  bool always(int agent, const step& s, bool draining) const {
    if (s.what == op::barrier || s.what == op::wait_groups || s.what == op::wait_reads || s.what == op::wait_writes ||
        s.what == op::commit)
      return true;
    if (draining || s.what == op::wait_first) return false;
    if (s.what == op::wait_signal && s.distance < 0) return false;
    if (s.what == op::signal && s.distance > 0) return false;
    return l_.agents[agent].last_skew == 0;
  }

  // ------------------------------------------------------------------------------ the allowed language
  node agent(int a) {
    const auto& program = l_.agents[a];
    std::vector<node> loop, all;
    for (const step& s : program.loop) loop.push_back(step_node(a, s, false));
    all.push_back(joined("star", {seq(loop)}));
    for (const step& s : program.drain)
      for (int back = s.what == op::signal ? s.distance : 1; back > 0; --back) {
        step one = s;
        if (s.what == op::signal) one.distance = back;
        all.push_back(step_node(a, one, true));
      }
    return seq(all);
  }
  std::vector<int> set_up() {
    std::vector<int> out;
    for (int s = 0; s < l_.mapped.stages.size(); ++s)
      for (int k = 0; k < l_.rings[s].slots; ++k)
        out.push_back(fixed_symbol({instruction::init_signal, lanes::block_leader, l_.rings[s].arrivals},
                                   l_.rings[s].first + k));
    if (l_.target == backend::hopper) out.push_back(symbol({instruction::publish_signals, lanes::block_leader}));
    return out;
  }
  std::vector<int> tear_down() {
    std::vector<int> out;
    for (int k = 0; k < l_.signal_count; ++k)
      out.push_back(fixed_symbol({instruction::invalidate_signal, lanes::block_leader}, k));
    return out;
  }
  int block_barrier() { return symbol({instruction::barrier}); }
  static node numbers(const std::vector<int>& all) {
    std::vector<node> parts;
    for (int k : all) parts.push_back(std::to_string(k));
    return seq(parts);
  }
  node kernel() {
    const node meet = std::to_string(block_barrier());
    std::vector<node> agents{seq({})}, run;  // a run of nothing, and the rest of a warp that is no agent
    for (int a = 0; a < l_.agents.size(); ++a) agents.push_back(agent(a));
    run.push_back(joined("alt", agents));
    if (stops_) run.insert(run.end(), {meet, meet});
    std::vector<node> all{opt(numbers(set_up())), meet};
    for (int r = 0; r < runs_; ++r) {
      if (r > 0 && l_.meets_between_runs && !stops_) all.push_back(opt(meet));  // not after a run of nothing
      all.insert(all.end(), run.begin(), run.end());
    }
    all.push_back(meet);
    if (l_.signal_count > 0) all.insert(all.end(), {opt(numbers(tear_down())), meet});
    return seq(all);
  }

  // ------------------------------------------------------------------------------ words
  // All that thread 0 and the issuing lane of an agent execute when each run has n instances; those of the last one are
  // past the end where `skips`.
  std::vector<int> word(int agent, int n, bool skips) {
    std::vector<int> out = set_up();
    const auto append = [&](const std::vector<int>& more) { out.insert(out.end(), more.begin(), more.end()); };
    const int meet = block_barrier();
    append({meet});
    for (int r = 0; r < runs_; ++r) {
      if (r > 0 && l_.meets_between_runs && !stops_ && n > 0) append({meet});
      if (agent >= 0) append(trace(agent, n, skips));
      if (stops_) append({meet, meet});
    }
    append({meet});
    if (l_.signal_count > 0) {
      append(tear_down());
      append({meet});
    }
    return out;
  }
  std::vector<int> trace(int agent, int n, bool skips) {
    const auto& program = l_.agents[agent];
    std::vector<int> out;
    const auto append = [&](const emission& all, const place& at) {
      for (int k : symbols_of(all, at)) out.push_back(k);
    };
    for (int t = 0; t < n + program.last_skew; ++t)
      for (const step& s : program.loop) {
        const int i = s.stage < 0 ? 0 : t - l_.mapped.stages[s.stage].skew;
        if (!happens(s, i, n)) continue;
        if (s.what == op::issue) append(way(agent, s, skips && i == n - 1), place_of_step(agent, s, false));
        else append(instructions_of(l_, agent, s), place_of_step(agent, s, false));
      }
    for (const step& s : program.drain)
      for (int back = s.what == op::signal ? s.distance : 1; back > 0; --back) {
        step one = s;
        if (s.what == op::signal) one.distance = back;
        const bool about_one = s.what == op::signal || s.what == op::wait_signal;
        if (!about_one || n >= one.distance)
          append(instructions_of(l_, agent, one, true), place_of_step(agent, one, true));
      }
    return out;
  }
  emission way(int agent, const step& s, bool skipped) const {
    const std::vector<emission> ways = ways_to_issue(agent, s);
    return skipped && l_.engines[s.stage] != engine_kind::source ? ways.back() : ways.front();
  }
  static bool happens(const step& s, int i, int n) {
    switch (s.what) {
      case op::barrier: case op::wait_groups: case op::wait_reads: case op::wait_writes: case op::commit: return true;
      case op::wait_first: return i == 0 && -s.distance < n;
      case op::wait_signal: return s.distance >= 0 ? i >= 0 && i < n : i - s.distance >= 0 && i - s.distance < n;
      case op::signal: return i >= 0 && i < n && i >= s.distance;
      default: return i >= 0 && i < n;
    }
  }

  const L& l_;
  const decltype(lay_out(std::declval<const L&>())) layout_;
  move_kinds moves_;
  bool sourced_ = false;
  bool stops_ = false;
  int runs_ = 1;
  std::map<std::string, int> numbers_;
  std::vector<std::string> symbols_;
};

}  // namespace lint
