// Recorded traces made by hand, as a recording would lay them out.
#pragma once

#include <penstock/check/trace_format.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace trace_bytes {

using namespace penstock::trace;

struct recording {
  std::vector<std::string> stages, agents;
  std::uint32_t capacity = 4;
  std::uint32_t clock_khz = 0;
  std::uint32_t global_step_ns = 1;
  std::vector<block_clock> clocks;           // one for each block
  std::vector<std::vector<record>> records;  // [block * agents + agent], everything ever written

  recording(std::vector<std::string> stage_names, std::vector<std::string> agent_names, std::size_t blocks = 1)
      : stages(std::move(stage_names)), agents(std::move(agent_names)) {
    for (std::size_t b = 0; b < blocks; ++b)
      clocks.push_back({1000, 500, 2000, 1500, static_cast<std::uint32_t>(b), 7, 0});
    records.resize(blocks * agents.size());
  }
  void add(std::size_t track, std::uint64_t clock, event kind, unsigned stage, unsigned slot, std::uint64_t iteration) {
    records[track].push_back(make_record(clock, kind, stage, slot, iteration));
  }

  std::string bytes() const {
    const auto count = [](const auto& v) { return static_cast<std::uint32_t>(v.size()); };
    const layout l = layout_of(count(stages), count(agents), count(clocks), capacity);
    std::string out(l.file_bytes, '\0');
    const auto put = [&](std::uint64_t at, const void* from, std::size_t n) { std::memcpy(out.data() + at, from, n); };
    header h{{}, format_version, count(stages), count(agents), count(clocks), capacity, clock_khz, global_step_ns,
             0,  l.file_bytes};
    std::memcpy(h.magic, magic, sizeof magic);
    put(0, &h, sizeof h);
    for (std::size_t s = 0; s < stages.size(); ++s) put(l.stage_labels + 64 * s, stages[s].data(), stages[s].size());
    for (std::size_t a = 0; a < agents.size(); ++a) put(l.agent_labels + 64 * a, agents[a].data(), agents[a].size());
    for (std::size_t b = 0; b < clocks.size(); ++b)
      put(l.block_clocks + sizeof(block_clock) * b, &clocks[b], sizeof(block_clock));
    for (std::size_t t = 0; t < records.size(); ++t) {
      const track written{records[t].size(), 0};
      put(l.tracks + sizeof(track) * t, &written, sizeof written);
      for (std::size_t k = 0; k < records[t].size(); ++k)
        put(l.records + sizeof(record) * (t * capacity + k % capacity), &records[t][k], sizeof(record));
    }
    return out;
  }
};

// A reader that copies two tiles ahead and a computing agent, two iterations.
inline recording two_agents() {
  recording r({"read", "compute"}, {"dma", "warps"});
  r.capacity = 16;
  r.add(0, 500, event::wait, 0, 0, 0);
  r.add(0, 510, event::issue, 0, 0, 0);
  r.add(0, 520, event::release, 0, 0, 0);
  r.add(0, 530, event::issue, 0, 1, 1);
  r.add(0, 540, event::release, 0, 1, 1);
  r.add(0, 545, event::drain, 0, 0, 0);
  r.add(0, 700, event::drained, 0, 0, 0);
  r.add(1, 505, event::wait, 1, 0, 0);
  r.add(1, 600, event::complete, 0, 0, 0);
  r.add(1, 600, event::issue, 1, 0, 0);
  r.add(1, 640, event::release, 1, 0, 0);
  r.add(1, 640, event::wait, 1, 1, 1);
  r.add(1, 650, event::complete, 0, 1, 1);
  r.add(1, 651, event::issue, 1, 1, 1);
  r.add(1, 690, event::release, 1, 1, 1);
  r.add(1, 690, event::stop, 1, 1, 1);
  return r;
}

}  // namespace trace_bytes
