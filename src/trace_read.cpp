#include "trace_read.hpp"

#include "block_time.hpp"
#include "input_error.hpp"
#include "utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <utility>

namespace penstock::command {
namespace {

static_assert(std::endian::native == std::endian::little, "traces are little-endian and read as they lie");

class reader {
 public:
  reader(std::string_view bytes, std::string_view source) : bytes_(bytes), source_(source) {
    read_header();
    for (std::uint32_t s = 0; s < head_.stages; ++s) result.stages.push_back(label(at_.stage_labels, s, "stage"));
    for (std::uint32_t a = 0; a < head_.agents; ++a) result.agents.push_back(label(at_.agent_labels, a, "agent"));
    std::uint64_t origin = std::numeric_limits<std::uint64_t>::max();
    for (std::uint32_t b = 0; b < head_.blocks; ++b)
      origin = std::min(origin, element<trace::block_clock>(at_.block_clocks, b).global_begin);
    for (std::uint32_t b = 0; b < head_.blocks; ++b) add_block(b, origin);
  }
  recorded_trace result{};

 private:
  [[noreturn]] void refuse(std::size_t offset, std::string_view what) const {
    throw input_error(source_, fmt::format("byte {}", offset), what);
  }

  // The layout was checked against the size of the file, so every element of every part lies within it.
  template <class T>
  T element(std::uint64_t part, std::uint64_t index) const {
    T value;
    std::memcpy(&value, bytes_.data() + part + index * sizeof(T), sizeof(T));
    return value;
  }

  void read_header() {
    if (bytes_.size() < sizeof(trace::header))
      refuse(bytes_.size(), fmt::format("ends before the {} bytes of a trace's header", sizeof(trace::header)));
    head_ = element<trace::header>(0, 0);
    if (std::memcmp(head_.magic, trace::magic, sizeof head_.magic) != 0)
      refuse(0, "does not begin as a recorded trace does");
    if (head_.version != trace::format_version)
      refuse(8, fmt::format("trace format version {}, this program reads version {}", head_.version,
                            trace::format_version));
    check_count(12, "stages", head_.stages, trace::max_stages);
    check_count(16, "agents", head_.agents, trace::max_agents);
    check_count(20, "blocks", head_.blocks, trace::max_blocks);
    check_count(24, "records a track", head_.capacity, trace::max_capacity);
    at_ = trace::layout_of(head_.stages, head_.agents, head_.blocks, head_.capacity);
    if (at_.file_bytes != bytes_.size() || head_.file_bytes != bytes_.size())
      refuse(40, fmt::format("states {} bytes, its counts need {}, the file has {}", head_.file_bytes, at_.file_bytes,
                             bytes_.size()));
  }
  void check_count(std::size_t offset, std::string_view what, std::uint32_t count, std::uint32_t most) const {
    if (count < 1 || count > most) refuse(offset, fmt::format("{} {}, a trace has 1 to {}", count, what, most));
  }

  std::string label(std::uint64_t part, std::uint32_t index, std::string_view what) const {
    const auto l = element<trace::label>(part, index);
    const std::string name = printable({l.utf8, strnlen(l.utf8, sizeof l.utf8)});
    return name.empty() ? fmt::format("{} {}", what, index) : name;
  }

  void add_block(std::uint32_t b, std::uint64_t origin) {
    const auto clock = element<trace::block_clock>(at_.block_clocks, b);
    const block_time scale(clock, head_, origin);
    trace_block block{clock.block, clock.multiprocessor, {}, {}, {}};
    completions_.clear();
    for (std::uint32_t a = 0; a < head_.agents; ++a) add_track(block, static_cast<int>(a), b, scale);
    for (trace_work& w : block.work)
      if (const auto seen = completions_.find({w.stage, w.iteration}); seen != completions_.end())
        w.complete = std::max(seen->second, w.begin);
    result.blocks.push_back(std::move(block));
  }

  void add_track(trace_block& block, int agent, std::uint32_t b, const block_time& scale) {
    const std::uint64_t index = std::uint64_t{b} * head_.agents + static_cast<std::uint64_t>(agent);
    const std::uint64_t written = element<trace::track>(at_.tracks, index).written;
    const std::uint64_t held = std::min<std::uint64_t>(written, head_.capacity);
    result.overwritten += written - held;
    open_ = {};
    std::uint64_t newest = scale.clock_begin();
    for (std::uint64_t k = 0; k < held; ++k) {
      const std::uint64_t at = (written - held + k) % head_.capacity;
      const auto r = element<trace::record>(at_.records, index * head_.capacity + at);
      const auto kind = trace::kind_of(r);
      const bool has_stage = kind != trace::event::drain && kind != trace::event::drained;
      if (kind < trace::event::wait || kind > trace::event::drained ||
          (has_stage && trace::stage_of(r) >= head_.stages) || r.clock < newest || !scale.covers(r.clock)) {
        ++result.damaged;
        continue;
      }
      newest = r.clock;
      ++result.records;
      add_event(block, agent, r, scale.ns(r.clock));
    }
    result.unmatched += open_.pause.has_value() + open_.work.has_value();
  }

  void add_event(trace_block& block, int agent, const trace::record& r, double at) {
    const int stage = static_cast<int>(trace::stage_of(r));
    const std::uint64_t iteration = trace::iteration_of(r);
    const auto close_pause = [&](int of_stage) {
      if (!open_.pause || open_.pause->stage != of_stage) return;
      open_.pause->end = at;
      block.pauses.push_back(*std::exchange(open_.pause, {}));
    };
    const auto open_pause = [&](int of_stage) {
      result.unmatched += open_.pause.has_value();
      open_.pause = trace_pause{agent, of_stage, iteration, at, at};
    };
    switch (trace::kind_of(r)) {
      case trace::event::wait:
        open_pause(stage);
        break;
      case trace::event::issue:
        close_pause(stage);
        result.unmatched += open_.work.has_value();
        open_.work = trace_work{agent, stage, trace::slot_of(r), iteration, at, at, -1};
        break;
      case trace::event::release:
        if (!open_.work || open_.work->stage != stage || open_.work->iteration != iteration) {
          ++result.unmatched;
          break;
        }
        open_.work->freed = at;
        block.work.push_back(*std::exchange(open_.work, {}));
        break;
      case trace::event::complete: {
        const auto [seen, is_first] = completions_.try_emplace({stage, iteration}, at);
        if (!is_first) seen->second = std::min(seen->second, at);
        break;
      }
      case trace::event::stop:
        block.stops.push_back({agent, stage, iteration, at});
        break;
      case trace::event::drain:
        open_pause(-1);
        break;
      case trace::event::drained:
        close_pause(-1);
        break;
    }
  }

  struct unfinished {
    std::optional<trace_pause> pause{};
    std::optional<trace_work> work{};
  };

  std::string_view bytes_;
  std::string_view source_;
  trace::header head_{};
  trace::layout at_{};
  unfinished open_{};
  std::map<std::pair<int, std::uint64_t>, double> completions_{};  // of the block at hand, by stage and iteration
};

}  // namespace

recorded_trace read_trace(std::string_view bytes, std::string_view source) {
  return std::move(reader(bytes, source).result);
}

}  // namespace penstock::command
