// Moves real bytes as a program says, in a random order that the program allows: copies late, early, torn and out of
// order, signals with one parity bit a wait. Every value that a stage writes depends on all that it read, on its place
// and on its iteration, so what comes out tells whether every read saw what it had to. Under ThreadSanitizer every
// access is checked.
#pragma once

#include <penstock/check/fibers.hpp>
#include <penstock/check/words.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <vector>

namespace penstock::check {

struct execution {
  bool finished = false;     // false: nobody could go on
  long long wrong_words = 0;  // that came out, of
  long long words = 0;
};

namespace detail {

class executor : word_rules {
 public:
  executor(const table& t, const program& p, unsigned seed)
      : word_rules(t, p),
        random_(seed),
        slots_(p.slots.size() * slot_words),
        signals_(p.signals.size()),
        words_(std::size_t(p.words)),
        meetings_(p.groups.size()),
        copies_(p.copies.size()) {
    for (const modelled_thread& m : p.threads) threads_.push_back(std::make_unique<actor>(m.name.c_str()));
    for (std::size_t s = 0; s < signals_.size(); ++s) signals_[s].pending = p.signals[s].arrivals;
  }

  execution run() {
    sequential_words sequential(t_, p_);
    while (step()) {}
    execution result;
    result.finished = true;
    edge storage_reused;  // what is not ordered before this is still under way
    for (std::size_t t = 0; t < threads_.size(); ++t) {
      result.finished = result.finished && done(int(t));
      threads_[t]->as.run([&] { storage_reused.release(); });
    }
    storage_reused.acquire();
    for (const auto& [version, words] : outputs_)
      for (int k = 0; k < slot_words; ++k) {
        ++result.words;
        result.wrong_words += words[k] != sequential.passed_out(version, k);
      }
    return result;
  }

 private:
  struct actor {
    explicit actor(const char* name) : as(name) {}
    fiber as;
    std::size_t at = 0;
    int generation = -1;
    int closed[2]{};
    word sum[slot_words]{};  // of what the instance at hand has read
  };
  struct copy_state {
    std::unique_ptr<fiber> as;
    edge issued, read, complete;
    int thread = -1;
    int group = 0;
    int halves = 0;  // bits
    bool finished = false;
    word sum[slot_words]{};
  };
  struct signal_state {
    int phase = 0;
    int pending = 0;
    int bytes = 0;
    std::deque<edge> phases{1};  // one for each phase; the last is the one being gathered
  };
  struct meeting_state {
    int arrived = 0;
    int generation = 0;
    std::deque<edge> generations{1};
  };
  // ------------------------------------------------------------------------------ accesses
  word read(int slot, int k) {
    word* const place = &slots_[std::size_t(slot * slot_words + k)];
    const watched here;
    return *place;
  }
  void write(int slot, int k, word value) {
    word* const place = &slots_[std::size_t(slot * slot_words + k)];
    const watched here;
    *place = value;
  }
  // Which words of an instance a thread handles changes from instance to instance.
  bool handles(int t, int stage, int instance, int k) const {
    std::vector<int> sharers;
    for (int u : p_.groups[p_.threads[t].agent])
      if (!is_bulk(t_.stages[stage].engine) || p_.threads[u].first_warp) sharers.push_back(u);
    if (t_.stages[stage].engine == engine_kind::source) return true;
    return sharers[mix(word(version_of(stage, instance) * slot_words + k)) % sharers.size()] == t;
  }
  bool handles(int t, const event& e, int k) const { return handles(t, e.stage, e.instance, k); }
  void begin(actor& a, const event& e) {
    for (int k = 0; k < slot_words; ++k) a.sum[k] = start(e.stage, e.instance, k);
  }
  void load(int t, const event& e) {
    actor& a = *threads_[t];
    const bool item = is_item(e);
    for (int k = 0; k < slot_words; ++k) {
      if (!item && !handles(t, e, k)) continue;
      const word w = read(e.where, from(k, is_own(e.stage, e.instance, e.where)));
      if (item) continue;
      a.sum[k] = mix(a.sum[k] * 31u + w);
      if (is_output(e.stage)) outputs_[version_of(e.stage, e.instance)][k] = a.sum[k];
    }
  }
  void store(int t, const event& e) {
    for (int k = 0; k < slot_words; ++k)
      if (handles(t, e, k)) write(e.where, k, mix(threads_[t]->sum[k] + word(e.where)));
  }
  // One half of a copy, at a time of its own.
  void move_half(int copy, int h) {
    const async_copy_op& op = p_.copies[copy];
    copy_state& c = copies_[copy];
    c.as->run([&] {
      if (c.halves == 0) c.issued.acquire();
      for (int k = h * slot_words / 2; k < (h + 1) * slot_words / 2; ++k) {
        if (op.engine == engine_kind::async_copy && !handles(c.thread, op.stage, op.instance, k)) continue;
        word sum = start(op.stage, op.instance, k);
        for (const slot_access& l : op.loads) sum = mix(sum * 31u + read(l.where, from(k, false)));
        for (const slot_access& s : op.stores) write(s.where, k, mix(sum + word(s.where)));
        if (op.stores.empty()) c.sum[k] = sum;
      }
      c.halves |= 1 << h;
      if (c.halves == 3) c.read.release();
    });
  }
  void complete(int copy) {
    const async_copy_op& op = p_.copies[copy];
    copy_state& c = copies_[copy];
    c.as->run([&] {
      c.complete.release();
      if (op.signal >= 0) signals_[op.signal].phases.back().release();
    });
    c.finished = true;
    if (op.stores.empty()) std::copy(c.sum, c.sum + slot_words, outputs_[version_of(op.stage, op.instance)]);
    if (op.signal < 0) return;
    signals_[op.signal].bytes -= op.bytes;
    finish_phase(op.signal);
  }

  // ------------------------------------------------------------------------------ one step of somebody
  bool done(int t) const { return threads_[t]->at == p_.threads[t].events.size(); }
  bool step() {
    const std::size_t all = threads_.size() + copies_.size();
    const std::size_t first = random_() % all;
    for (std::size_t k = 0; k < all; ++k) {
      const std::size_t who = (first + k) % all;
      if (who < threads_.size() ? advance(int(who)) : advance_copy(int(who - threads_.size()))) return true;
    }
    return false;
  }
  bool advance(int t) {
    if (done(t)) return false;
    actor& a = *threads_[t];
    bool moved = false;
    a.as.run([&] { moved = perform(t, a, p_.threads[t].events[a.at]); });
    if (moved) ++a.at;
    return moved;
  }
  bool advance_copy(int copy) {
    copy_state& c = copies_[copy];
    if (c.thread < 0 || c.finished) return false;
    if (c.halves == 3) complete(copy);
    else move_half(copy, c.halves == 0 ? int(random_() % 2) : c.halves == 1 ? 1 : 0);
    return true;
  }

  bool perform(int t, actor& a, const event& e) {
    switch (e.what) {
      case act::begin: begin(a, e); return true;
      case act::load: load(t, e); return true;
      case act::store: store(t, e); return true;
      case act::issue: issue(t, a, e); return true;
      case act::wait: return wait(e);
      case act::arrive: arrive(e, e.weight, 0); return true;
      case act::expect: arrive(e, 1, e.weight); return true;
      case act::commit: ++a.closed[e.engine == engine_kind::async_copy ? 0 : 1]; return true;
      case act::wait_groups: return wait_groups(t, a, engine_kind::async_copy, e.value, false);
      case act::wait_reads: return wait_groups(t, a, engine_kind::bulk_out, e.value, true);
      case act::wait_writes: return wait_groups(t, a, engine_kind::bulk_out, e.value, false);
      case act::meet: return meet(a, e.where);
      case act::set: words_[std::size_t(e.where)] = true; return true;
      case act::see: return words_[std::size_t(e.where)];
      default: return true;  // fences order proxies, which neither bytes nor ThreadSanitizer can tell apart
    }
  }
  void issue(int t, actor& a, const event& e) {
    copy_state& c = copies_[e.where];
    c.as = std::make_unique<fiber>("copy");
    c.thread = t;
    c.group = a.closed[e.engine == engine_kind::async_copy ? 0 : 1];
    c.issued.release();
  }
  bool wait(const event& e) {
    signal_state& s = signals_[e.where];
    if ((s.phase & 1) == (e.value & 1)) return false;
    if (s.phase > 0) s.phases[std::size_t(s.phase - 1)].acquire();
    return true;
  }
  void arrive(const event& e, int arrivals, int bytes) {
    signal_state& s = signals_[e.where];
    s.phases.back().release();
    s.pending -= arrivals;
    s.bytes += bytes;
    finish_phase(e.where);
  }
  void finish_phase(int signal) {
    signal_state& s = signals_[signal];
    if (s.pending != 0 || s.bytes != 0) return;
    ++s.phase;
    s.pending = p_.signals[signal].arrivals;
    s.phases.emplace_back();
  }
  bool wait_groups(int t, actor& a, engine_kind engine, int may_stay, bool only_reads) {
    const int due = a.closed[engine == engine_kind::async_copy ? 0 : 1] - may_stay;
    const auto each = [&](auto&& f) {
      for (std::size_t c = 0; c < copies_.size(); ++c)
        if (copies_[c].thread == t && p_.copies[c].engine == engine && copies_[c].group < due && !f(copies_[c]))
          return false;
      return true;
    };
    if (!each([&](copy_state& c) { return only_reads ? c.halves == 3 : c.finished; })) return false;
    return each([&](copy_state& c) {
      (only_reads ? c.read : c.complete).acquire();
      return true;
    });
  }
  bool meet(actor& a, int group) {
    meeting_state& m = meetings_[group];
    if (a.generation < 0) {
      a.generation = m.generation;
      m.generations.back().release();
      if (++m.arrived == int(p_.groups[group].size())) {
        m.arrived = 0;
        ++m.generation;
        m.generations.emplace_back();
      }
    }
    if (a.generation == m.generation) return false;
    m.generations[std::size_t(a.generation)].acquire();
    a.generation = -1;
    return true;
  }

  std::minstd_rand random_;
  std::vector<word> slots_;
  std::vector<signal_state> signals_;
  std::vector<bool> words_;
  std::vector<meeting_state> meetings_;
  std::vector<std::unique_ptr<actor>> threads_;
  std::vector<copy_state> copies_;
  std::map<int, word[slot_words]> outputs_;
};

}  // namespace detail

// For a scenario that can happen: decide() says which do.
inline execution execute(const table& t, const program& p, unsigned seed) { return detail::executor(t, p, seed).run(); }

}  // namespace penstock::check
