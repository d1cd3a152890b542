// What a recorded run leaves behind: the newest events of each agent, written by it alone, and the file they make.
#pragma once

#include <penstock/check/trace_format.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace penstock::check {

class recording {
 public:
  struct stage_label {
    std::string name{};
    int depth = 1;  // of the buffer whose slots its instances are told apart by
  };

  // Of a longer run each agent keeps its newest `capacity` events, of 16 bytes; `penstock trace` reads 64 MiB.
  explicit recording(std::uint32_t capacity = 1u << 16) : capacity_(capacity) {
    if (capacity < 1 || capacity > trace::max_capacity)
      throw std::invalid_argument("a recording of " + std::to_string(capacity) + " events an agent; it holds 1 to " +
                                  std::to_string(trace::max_capacity));
  }

  // Of the last run. One block: the process; its clock is the device's.
  std::string bytes() const {
    static_assert(std::endian::native == std::endian::little, "the format is little-endian, written as it lies");
    const auto count = [](const auto& v) { return static_cast<std::uint32_t>(v.size()); };
    std::uint64_t held = 1;
    for (const agent& a : agents_) held = std::max<std::uint64_t>(held, a.events.size());
    const auto capacity = static_cast<std::uint32_t>(held);
    const trace::layout at = trace::layout_of(count(stages_), count(agents_), 1, capacity);
    std::string out(at.file_bytes, '\0');
    const auto put = [&](std::uint64_t where, const void* from, std::size_t n) {
      if (n > 0) std::memcpy(out.data() + where, from, n);
    };
    trace::header head{{}, trace::format_version, count(stages_), count(agents_), 1, capacity, 1'000'000, 1,
                       0,  at.file_bytes};
    std::memcpy(head.magic, trace::magic, sizeof head.magic);
    const trace::block_clock clock{begin_, begin_, end_, end_, 0, 0, 0};
    put(0, &head, sizeof head);
    put(at.block_clocks, &clock, sizeof clock);
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      const std::string_view name = label(stages_[s].name);
      put(at.stage_labels + s * sizeof(trace::label), name.data(), name.size());
    }
    for (std::size_t a = 0; a < agents_.size(); ++a) {
      const std::string_view name = label(agents_[a].name);
      const trace::track track{agents_[a].written, 0};
      put(at.agent_labels + a * sizeof(trace::label), name.data(), name.size());
      put(at.tracks + a * sizeof track, &track, sizeof track);
      put(at.records + a * capacity * sizeof(trace::record), agents_[a].events.data(),
          agents_[a].events.size() * sizeof(trace::record));
    }
    return out;
  }

  // The file is replaced whole or not at all.
  void save(const std::string& path) const {
    if (stages_.empty()) throw std::logic_error("nothing was recorded that could be saved to " + path);
    const std::string contents = bytes(), temporary = path + ".part";
    std::FILE* const f = std::fopen(temporary.c_str(), "wb");
    bool written = f != nullptr && std::fwrite(contents.data(), 1, contents.size(), f) == contents.size();
    int code = errno;
    if (f != nullptr && std::fclose(f) != 0 && written) {
      written = false;
      code = errno;
    }
    if (written && std::rename(temporary.c_str(), path.c_str()) == 0) return;
    if (written) code = errno;
    if (f != nullptr) std::remove(temporary.c_str());
    throw std::system_error(code, std::generic_category(), "cannot write the trace to " + path);
  }

  // ------------------------------------------------------------------------------ for a run: it begins, then ends
  void begin(std::vector<stage_label> stages, std::vector<std::string> agents) {
    stages_ = std::move(stages);
    agents_.clear();
    for (std::string& name : agents) agents_.push_back({std::move(name)});
    begin_ = end_ = now();
  }
  void end() { end_ = std::max(now(), begin_ + 1); }

  // ------------------------------------------------------------------------------ for its agents, each in its thread
  void wait(int at, int stage) {  // before each of the stage's waits; from the first one on it is held
    agent& a = agents_[static_cast<std::size_t>(at)];
    if (a.held_for == stage) return;
    a.held_for = stage;
    a.held_since = now();
  }
  // An instance past the end of the run does nothing and leaves no trace.
  void issue(int at, int stage, long long instance, bool acts) {
    agent& a = agents_[static_cast<std::size_t>(at)];
    if (acts && a.held_for == stage) keep(a, trace::event::wait, a.held_since, stage, instance);
    a.held_for = -1;
    a.stage = acts ? stage : -1;
    a.instance = instance;
    if (acts) keep(a, trace::event::issue, now(), stage, instance);
  }
  void release(int at) {
    agent& a = agents_[static_cast<std::size_t>(at)];
    if (a.stage >= 0) keep(a, trace::event::release, now(), a.stage, a.instance);
    a.stage = -1;
  }
  void stop(int at, int stage, long long instance) {
    keep(agents_[static_cast<std::size_t>(at)], trace::event::stop, now(), stage, instance);
  }
  void drain(int at) { keep(agents_[static_cast<std::size_t>(at)], trace::event::drain, now(), 0, 0); }
  void drained(int at) { keep(agents_[static_cast<std::size_t>(at)], trace::event::drained, now(), 0, 0); }

 private:
  struct agent {
    std::string name{};
    std::vector<trace::record> events{};  // a ring once it is full
    std::uint64_t written = 0;
    int held_for = -1;  // the stage whose waits it has reached
    std::uint64_t held_since = 0;
    int stage = -1;  // at work
    long long instance = 0;
  };

  static std::uint64_t now() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(since).count());
  }

  void keep(agent& a, trace::event what, std::uint64_t clock, int stage, long long instance) {
    const int depth = stages_[static_cast<std::size_t>(stage)].depth;
    const trace::record r =
        trace::make_record(clock, what, static_cast<unsigned>(stage), static_cast<unsigned>(instance % depth),
                           static_cast<std::uint64_t>(instance));
    if (a.events.size() < capacity_) a.events.push_back(r);
    else a.events[a.written % capacity_] = r;
    ++a.written;
  }

  // What a label holds of a name, without half a character at its end.
  static std::string_view label(std::string_view name) {
    std::size_t n = std::min(name.size(), sizeof(trace::label::utf8));
    while (n > 0 && n < name.size() && (static_cast<unsigned char>(name[n]) & 0xc0) == 0x80) --n;
    return name.substr(0, n);
  }

  std::uint32_t capacity_;
  std::vector<stage_label> stages_{};
  std::vector<agent> agents_{};
  std::uint64_t begin_ = 0, end_ = 0;
};

}  // namespace penstock::check
