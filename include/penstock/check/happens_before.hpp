// Decides one scenario from one schedule. With fixed control flow every wait joins the same arrivals in every schedule,
// provided that no wait and no arrival can meet another phase than its own, which is checked too. So what this schedule
// does not order, no schedule orders. Copies have clocks of their own: late, early and torn completion need no luck.
#pragma once

#include <penstock/check/phases.hpp>
#include <penstock/check/shadow.hpp>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace penstock::check {

namespace detail {

class happens_before {
 public:
  happens_before(const table& t, const program& p)
      : p_(p), say_(t, p), clocks_(int(p.threads.size()), int(p.copies.size()), int(p.signals.size())),
        phases_(p, clocks_), shadow_(p.slots.size()), states_(p.threads.size()), meetings_(p.groups.size()),
        words_(std::size_t(p.words)) {
    for (thread_state& s : states_) s.knows.resize(std::size_t(p.words));
  }

  // With `orders`, also what each instance is ordered after.
  verdict decide(std::vector<unsigned>* orders = nullptr) {
    keep_order_ = orders != nullptr;
    if (!p_.inconsistency.empty()) fail(fault::inconsistent, p_.inconsistency, {});
    while (going_on()) {
      bool moved = false;
      for (int t = 0; t < int(states_.size()); ++t)  // in turns: a fault then shows in a schedule that looks familiar
        if (going_on() && !done(t) && perform(t, next(t))) {
          log_.push_back({t, states_[t].at++});
          moved = true;
        }
      if (!moved && !complete_a_copy()) break;
    }
    if (going_on()) check_end();
    for (const thread_state& s : states_)
      if (keep_order_) orders->insert(orders->end(), s.order.begin(), s.order.end());
    return result_;
  }

 private:
  struct issued {
    int copy = 0;
    int group = 0;
  };
  struct thread_state {
    std::size_t at = 0;
    int generation = -1;  // of the barrier it waits at
    int closed[2]{};      // groups of cp.async, of bulk copies
    std::vector<issued> copies[2];
    std::vector<bool> knows;
    std::vector<unsigned> access_epochs;
    std::vector<unsigned> order;  // at each instance's start: how much of every other thread and copy is complete
  };
  struct meeting {
    int arrived = 0;
    int generation = 0;
  };
  struct word_state {
    int thread = -1;
    unsigned epoch = 0;
  };
  struct logged {
    int thread = 0;
    std::size_t at = 0;
  };

  bool going_on() const { return result_.kind == fault::none && result_.feasible; }
  bool done(int t) const { return states_[t].at == p_.threads[t].events.size(); }
  const event& next(int t) const { return p_.threads[t].events[states_[t].at]; }

  // The schedule: the earlier access where there is one, then the latest events of the threads involved.
  void fail(fault kind, const std::string& message, std::initializer_list<int> involved,
            const access* earlier = nullptr) {
    if (!going_on()) return;
    result_.kind = kind;
    result_.message = message;
    constexpr int lines_each = 4;
    std::vector<int> left(states_.size());
    std::vector<std::string> latest, backwards;
    for (int t : involved) {
      if (!done(t)) latest.push_back(say_.line(t, next(t)));
      left[t] = lines_each;
    }
    for (auto l = log_.rbegin(); l != log_.rend(); ++l) {
      const event& e = p_.threads[l->thread].events[l->at];
      if (left[l->thread] == 0 || e.what == act::begin) continue;
      --left[l->thread];
      backwards.push_back(say_.line(l->thread, e));
    }
    if (earlier != nullptr) result_.schedule = {say_.line(earlier->thread, *earlier->what), "..."};
    result_.schedule.insert(result_.schedule.end(), backwards.rbegin(), backwards.rend());
    result_.schedule.insert(result_.schedule.end(), latest.begin(), latest.end());
  }

  void note_order(int t) {
    if (!keep_order_) return;
    const unsigned* ordered = clocks_.of(t).ordered;
    for (std::size_t u = 0; u < states_.size(); ++u) {
      const std::vector<unsigned>& epochs = states_[u].access_epochs;
      states_[t].order.push_back(unsigned(std::upper_bound(epochs.begin(), epochs.end(), ordered[u]) - epochs.begin()));
    }
    for (std::size_t c = 0; c < p_.copies.size(); ++c) states_[t].order.push_back(ordered[states_.size() + c]);
  }

  // ------------------------------------------------------------------------------ accesses
  void touch(int t, const slot_access& where, const access& b) {
    bool ordered = false;
    if (const access* a = shadow_.conflict(where.where, b, clocks_.of(t), ordered)) {
      fail(ordered ? fault::proxy : fault::race,
           say_.iteration(b.what->stage, b.what->instance) + (b.write ? " writes " : " reads ") +
               say_.slot(where.where) +
               (ordered ? " by the bulk engine, and no fence separates that from "
                        : ", and nothing orders that after ") +
               say_.iteration(a->what->stage, a->what->instance) +
               (a->write ? ", which writes it" : ", which reads it"),
           {a->thread, t}, a);
      return;
    }
    shadow_.record(where.where, b);
    if (b.write) {
      shadow_.put(where);
    } else if (shadow_.holds(where.where) != where.value && shadow_.holds(where.where) != b.instance) {
      // (the instance's own value: another thread of it was first, which is between the body's threads)
      fail(fault::wrong_value, say_.iteration(b.what->stage, b.what->instance) + " finds " +
                                   say_.version(shadow_.holds(where.where)) + " in " + say_.slot(where.where) +
                                   " where it needs " + say_.version(where.value), {t});
    }
  }
  void start_copy(int t, const event& e) {
    const async_copy_op& c = p_.copies[e.where];
    const bool async = c.engine != engine_kind::async_copy;  // cp.async belongs to the generic proxy
    access a{int(states_.size()) + e.where, clocks::read_done, async, false, version_of(c.stage, c.instance), t, &e};
    for (const slot_access& l : c.loads) touch(t, l, a);
    a.epoch = clocks::all_done;
    a.write = true;
    for (const slot_access& s : c.stores) touch(t, s, a);
    if (c.engine == engine_kind::bulk_in) in_flight_.push_back(e.where);
    else states_[t].copies[kind_of(c.engine)].push_back({e.where, states_[t].closed[kind_of(c.engine)]});
  }
  static int kind_of(engine_kind e) { return e == engine_kind::async_copy ? 0 : 1; }
  void wait_for_groups(int t, int kind, int may_stay, unsigned progress) {
    for (const issued& i : states_[t].copies[kind])
      if (i.group < states_[t].closed[kind] - may_stay) clocks_.reach(clocks_.of(t), i.copy, progress);
  }

  // ------------------------------------------------------------------------------ signals
  bool wait(int t, const event& e) {
    if (!phases_.complete(e)) return false;
    if (const std::string_view wrong = phases_.pass(t, e); !wrong.empty())
      fail(fault::phase,
           p_.threads[t].name + "'s wait for " + say_.iteration(e.on, e.instance) + " " + std::string(wrong), {t});
    return true;
  }
  void arrive(int t, const event& e, int arrivals, int bytes) {
    if (const std::string_view wrong = phases_.arrive(t, e, arrivals, bytes); !wrong.empty()) blame(t, e, wrong);
  }
  void blame(int t, const event& e, std::string_view wrong) {
    const std::string who = p_.threads[t].name + "'s signal of " + say_.iteration(e.stage, e.instance) + " ";
    if (phases_.late_thread() >= 0) fail(fault::phase, who + std::string(wrong), {phases_.late_thread(), t});
    else fail(fault::phase, who + std::string(wrong), {t});
  }
  bool complete_a_copy() {  // as late as can be, and the newest first
    if (in_flight_.empty()) return false;
    const int copy = in_flight_.back();
    in_flight_.pop_back();
    const async_copy_op& c = p_.copies[copy];
    if (c.signal < 0) return true;
    if (const std::string_view wrong = phases_.deliver(copy); !wrong.empty())
      fail(fault::bytes,
           "the bytes of " + say_.iteration(c.stage, c.instance) + " that its signal gets " + std::string(wrong), {});
    return true;
  }

  // ------------------------------------------------------------------------------ one event; false: it must wait
  bool perform(int t, const event& e) {
    thread_state& s = states_[t];
    switch (e.what) {
      case act::begin: note_order(t); return true;
      case act::load:
      case act::store:
        s.access_epochs.push_back(clocks_.of(t).ordered[t] + 1);
        touch(t, {e.where, e.value},
              {t, clocks_.tick(t), false, e.what == act::store,
               e.weight == 1 ? -1 - t : version_of(e.stage, e.instance), t, &e});
        return true;
      case act::issue: start_copy(t, e); return true;
      case act::wait: return wait(t, e);
      case act::arrive: arrive(t, e, e.weight, 0); return true;
      case act::expect: arrive(t, e, 1, e.weight); return true;
      case act::commit: ++s.closed[kind_of(e.engine)]; return true;
      case act::wait_groups: wait_for_groups(t, 0, e.value, clocks::all_done); return true;
      case act::wait_reads: wait_for_groups(t, 1, e.value, clocks::read_done); return true;
      case act::wait_writes: wait_for_groups(t, 1, e.value, clocks::all_done); return true;
      case act::fence: clocks_.cover(t); return true;
      case act::meet: return meet(t, e.where);
      case act::set: words_[e.where] = {t, clocks_.tick(t)}; return true;
      case act::see: return words_[e.where].thread >= 0;
      case act::miss: if (surely_finds(t, e.where)) result_.feasible = false; return true;
      case act::peek: if (surely_finds(t, e.where)) s.knows[e.where] = true; return true;
      case act::need:
        if (!s.knows[e.where])
          fail(fault::word, "nothing orders what " + p_.threads[t].name + " does next after the news that the run " +
                                (e.where % 2 == 0 ? "stops" : "ends"), {t});
        return true;
    }
    return true;
  }
  bool surely_finds(int t, int word) {
    const word_state& w = words_[word];
    return w.thread >= 0 && w.epoch <= clocks_.of(t).ordered[w.thread];
  }
  bool meet(int t, int group) {
    meeting& m = meetings_[group];
    const std::vector<int>& all = p_.groups[group];
    int& mine = states_[t].generation;
    if (mine < 0) {
      mine = m.generation;
      if (++m.arrived == int(all.size())) {
        for (int u : all) clocks_.join(clocks_.of(all[0]), clocks_.of(u));
        for (int u : all) clocks_.join(clocks_.of(u), clocks_.of(all[0]));
        m.arrived = 0;
        ++m.generation;
      }
    }
    if (mine == m.generation) return false;
    mine = -1;
    return true;
  }

  // ------------------------------------------------------------------------------ the end
  void check_end() {
    for (int t = 0; t < int(states_.size()); ++t)
      if (!done(t) && next(t).what == act::see)
        result_.feasible = false;  // nobody says it before this look must return
    if (!going_on()) return;
    for (int t = 0; t < int(states_.size()); ++t)
      if (!done(t)) return report_deadlock();
    for (std::size_t c = 0; c < p_.copies.size(); ++c)
      if (clocks_.of(0).ordered[states_.size() + c] < clocks::all_done)
        return fail(fault::in_flight, "the copy of " + say_.iteration(p_.copies[c].stage, p_.copies[c].instance) +
                                          " may still be in flight when the storage is given back", {});
    for (int s = 0; s < int(p_.signals.size()); ++s)
      if (phases_.phase(s) != p_.signals[s].phases || !phases_.idle(s))
        return fail(fault::in_flight, "at the end, slot " + std::to_string(p_.signals[s].slot) + " of the signal of '" +
                                          say_.stage(p_.signals[s].stage) + "' is in phase " +
                                          std::to_string(phases_.phase(s)) + " where phase " +
                                          std::to_string(p_.signals[s].phases) + " is due", {});
  }
  bool has_left(int t) const {
    return done(t) || (next(t).what == act::meet && next(t).where + 1 == int(p_.groups.size()));
  }
  // Whom each thread waits for, until the chain closes or ends at one that has left.
  void report_deadlock() {
    int t = 0;
    while (t + 1 < int(states_.size()) && (has_left(t) || next(t).what == act::meet)) ++t;
    std::vector<bool> seen(states_.size());
    std::string chain = "no thread can go on: ";
    for (int from = t; t >= 0; from = t, t = blocker(from)) {
      if (from != t) chain += "; ";
      chain += p_.threads[t].name + (has_left(t) ? " has left" : " " + say_.act_of(next(t)));
      if (has_left(t) || seen[t]) break;
      seen[t] = true;
    }
    fail(fault::deadlock, chain, {});
    for (int u = 0; u < int(states_.size()); ++u)
      if (!has_left(u)) result_.schedule.push_back(say_.line(u, next(u)));
  }
  int blocker(int t) const {
    const event& e = next(t);
    if (e.what == act::meet) {
      for (int u : p_.groups[e.where]) if (done(u) || states_[u].generation < 0 || next(u).where != e.where) return u;
      return -1;
    }
    for (int u = 0; u < int(states_.size()); ++u)  // who owes the arrival
      if (u != t && p_.threads[u].agent == say_.agent_of(e.on) && p_.threads[u].elected) return u;
    return -1;
  }

  const program& p_;
  narrator say_;
  clocks clocks_;
  phases phases_;
  shadow shadow_;
  std::vector<thread_state> states_;
  std::vector<meeting> meetings_;
  std::vector<word_state> words_;
  std::vector<int> in_flight_;
  std::vector<logged> log_;
  verdict result_;
  bool keep_order_ = false;
};

}  // namespace detail

inline verdict decide(const table& t, const program& p) { return detail::happens_before(t, p).decide(); }
inline verdict decide(const table& t, const scenario& runs) { return decide(t, unroll(t, runs)); }

}  // namespace penstock::check
