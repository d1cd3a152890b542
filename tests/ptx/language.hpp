// What a kernel of the PTX lint may execute, as its lowering table promises: a regular language over synchronisation
// instructions; some of its words in full, the traces of particular runs; and what single threads execute in such runs,
// with the address and the parity of every signal.
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

  // {"allowed": node, "words": [[symbol, …], …], "runs": [{"thread", "threads", "n", "trace"}, …], "symbols": […]}
  // In a trace [symbol] stands for an instruction without a signal, [symbol, offset, parity] for one with.
  std::string json() {
    const node allowed = kernel();
    std::vector<std::string> words, traces;
    const int most = longest();
    const auto add_word = [&](int agent, int n, bool skips) {
      std::vector<std::string> symbols;
      for (const executed& e : word(agent, n, skips, true)) symbols.push_back(std::to_string(e.symbol));
      words.push_back("[" + listed(symbols) + "]");
    };
    if (!sourced_ || l_.agents.size() > 1) add_word(-1, 0, false);  // a source is asked at least once
    for (int a = 0; a < l_.agents.size(); ++a)
      for (int n : {1, 2, most}) {
        if (!sourced_) add_word(a, n, false);
        if (sourced_ || stops_) add_word(a, n, true);
      }
    // what ranges and boxes do depends on their addresses; an agent that asks the source itself asks ahead of the
    // answers
    if (!moves_.ragged && !moves_.tensor && !(sourced_ && l_.agents.size() == 1))
      for (int a : leaders_first())
        for (int n : {1, 2, most}) if (!sourced_ || n < item_slots()) traces.push_back(run_of(a, n));
    return "{\"allowed\":" + allowed + ",\"words\":[" + listed(words) + "],\"runs\":[" + listed(traces) +
           "],\"symbols\":[" + listed(symbols_) + "]}";
  }

 private:
  int longest() const {
    int most = 1;
    for (const buffer_info& b : l_.mapped.buffers) most = b.depth > most ? b.depth : most;
    for (const auto& s : l_.mapped.stages) most = s.skew > most ? s.skew : most;
    return 2 * most + 1;
  }

  // One instruction of a trace; where its signal lies in the storage and which parity it waits for, or -1.
  struct executed {
    int symbol = 0;
    long long offset = -1;
    int parity = -1;
  };

  static std::string listed(const std::vector<std::string>& parts) {
    std::string out;
    for (const std::string& p : parts) out += (out.empty() ? "" : ",") + p;
    return out;
  }

  // The first thread of the agent, in runs of n iterations that nobody stops.
  std::string run_of(int a, int n) {
    std::vector<std::string> parts;
    const int thread = 32 * l_.agents[a].first_warp;
    for (const executed& e : word(a, sourced_ ? n + 1 : n, sourced_, thread == 0)) {
      std::string one = std::to_string(e.symbol);
      if (e.offset >= 0) one += "," + std::to_string(e.offset) + "," + std::to_string(e.parity);
      parts.push_back("[" + one + "]");
    }
    return "{\"thread\":" + std::to_string(thread) + ",\"threads\":" + std::to_string(32 * l_.warps) +
           ",\"n\":" + std::to_string(n) + ",\"trace\":[" + listed(parts) + "]}";
  }
  // Others read what the agent that asks the source has written.
  std::vector<int> leaders_first() const {
    std::vector<int> all;
    for (int leads = 1; leads >= 0; --leads)
      for (int a = 0; a < l_.agents.size(); ++a) {
        bool asks = false;
        for (int s = 0; s < l_.mapped.stages.size(); ++s)
          asks = asks || (l_.mapped.stages[s].agent == a && l_.engines[s] == engine_kind::source);
        if (asks == (leads == 1)) all.push_back(a);
      }
    return all;
  }
  // How many items there is room for: later ones overwrite what another agent has yet to read.
  int item_slots() const {
    for (const auto& s : l_.mapped.stages) if (s.source) return l_.mapped.buffers[s.writes[0]].depth;
    return 0;
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
  std::vector<executed> set_up() {
    std::vector<executed> out;
    for (int s = 0; s < l_.mapped.stages.size(); ++s)
      for (int k = 0; k < l_.rings[s].slots; ++k)
        out.push_back(at_signal({instruction::init_signal, lanes::block_leader, l_.rings[s].arrivals},
                                l_.rings[s].first + k));
    if (l_.target == backend::hopper) out.push_back({symbol({instruction::publish_signals, lanes::block_leader})});
    return out;
  }
  std::vector<executed> first_fence() {
    if (!fences_between_uses(l_)) return {};
    return {{symbol({instruction::fence_proxy, lanes::all})}};
  }
  std::vector<executed> tear_down() {
    std::vector<executed> out;
    for (int k = 0; k < l_.signal_count; ++k)
      out.push_back(at_signal({instruction::invalidate_signal, lanes::block_leader}, k));
    return out;
  }
  executed at_signal(const emitted& e, int signal) {
    return {fixed_symbol(e, signal), offset_of(signal)};
  }
  long long offset_of(int signal) const { return layout_.signals + 8ll * signal; }
  int block_barrier() { return symbol({instruction::barrier}); }
  static node numbers(const std::vector<executed>& all) {
    std::vector<node> parts;
    for (const executed& e : all) parts.push_back(std::to_string(e.symbol));
    return seq(parts);
  }
  node kernel() {
    const node meet = std::to_string(block_barrier());
    std::vector<node> agents{seq({})}, run;  // a run of nothing, and the rest of a warp that is no agent
    for (int a = 0; a < l_.agents.size(); ++a) agents.push_back(agent(a));
    run.push_back(joined("alt", agents));
    if (stops_) run.insert(run.end(), {meet, meet});
    std::vector<node> all{opt(numbers(set_up())), numbers(first_fence()), meet};
    for (int r = 0; r < runs_; ++r) {
      if (r > 0 && l_.meets_between_runs && !stops_) all.push_back(opt(meet));  // not after a run of nothing
      all.insert(all.end(), run.begin(), run.end());
    }
    all.push_back(meet);
    if (l_.signal_count > 0) all.insert(all.end(), {opt(numbers(tear_down())), meet});
    return seq(all);
  }

  // ------------------------------------------------------------------------------ words
  // All that the issuing lane of an agent executes when each run has n instances, those of the last one past the end
  // where `skips`; and what thread 0 does at both ends of the kernel.
  std::vector<executed> word(int agent, int n, bool skips, bool with_ends) {
    std::vector<executed> out;
    const auto append = [&](const std::vector<executed>& more) { out.insert(out.end(), more.begin(), more.end()); };
    const executed meet{block_barrier()};
    if (with_ends) append(set_up());
    append(first_fence());
    append({meet});
    for (int r = 0; r < runs_; ++r) {
      if (r > 0 && l_.meets_between_runs && !stops_ && n > 0) append({meet});
      if (agent >= 0) append(trace(agent, n, skips, r * n));
      if (stops_) append({meet, meet});
    }
    append({meet});
    if (l_.signal_count > 0) {
      if (with_ends) append(tear_down());
      append({meet});
    }
    return out;
  }
  // `base` instances were run before.
  std::vector<executed> trace(int agent, int n, bool skips, int base) {
    const auto& program = l_.agents[agent];
    std::vector<executed> out;
    const auto append = [&](const emission& all, const place& at, int instance) {
      for (const emitted& e : all) {
        executed one{symbol_in(e, at.ring, at.back)};
        const int slots = addresses_signal(e.what) ? l_.rings[at.ring].slots : 0;
        if (slots > 0) {
          const int slot = (instance % slots + slots) % slots;
          one.offset = offset_of(l_.rings[at.ring].first + slot);
          if (e.what == instruction::wait_phase) one.parity = (instance - slot) / slots & 1;
        }
        out.push_back(one);
      }
    };
    for (int t = 0; t < n + program.last_skew; ++t)
      for (const step& s : program.loop) {
        const int i = s.stage < 0 ? 0 : t - l_.mapped.stages[s.stage].skew;
        if (!happens(s, t == 0, i, n)) continue;
        const int instance = base + (s.what == op::wait_first ? 0 : i) - s.distance;
        if (s.what == op::issue) append(way(agent, s, skips && i == n - 1), place_of_step(agent, s, false), instance);
        else append(instructions_of(l_, agent, s), place_of_step(agent, s, false), instance);
      }
    for (const step& s : program.drain)
      for (int back = s.what == op::signal ? s.distance : 1; back > 0; --back) {
        step one = s;
        if (s.what == op::signal) one.distance = back;
        const bool about_one = s.what == op::signal || s.what == op::wait_signal;
        if (!about_one || n >= one.distance)
          append(instructions_of(l_, agent, one, true), place_of_step(agent, one, true), base + n - one.distance);
      }
    return out;
  }
  emission way(int agent, const step& s, bool skipped) const {
    const std::vector<emission> ways = ways_to_issue(agent, s);
    return skipped && l_.engines[s.stage] != engine_kind::source ? ways.back() : ways.front();
  }
  static bool happens(const step& s, bool first_step, int i, int n) {
    switch (s.what) {
      case op::barrier: case op::wait_groups: case op::wait_reads: case op::wait_writes: case op::commit: return true;
      case op::wait_first: return first_step && -s.distance < n;
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
