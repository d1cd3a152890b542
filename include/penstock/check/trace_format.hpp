// The file that a recorded run leaves behind, for `penstock trace` to read. Little-endian, no pointers, in
// this order:
//
//   header
//   label [stages]           names, in declaration order
//   label [agents]           names, in the order of the plan's agents
//   block_clock [blocks]     how each block's clock maps to the time of the device
//   track [blocks][agents]   how many records each agent of each block wrote
//   record [blocks][agents][capacity]
//
// Each agent of each block has a ring of `capacity` records and is its only writer: record k of its life lies
// at index k mod capacity, so of a long run the newest remain. A device writes the last three parts, so a
// reader trusts none.
//
// check/record.hpp records runs on the host so: one block, whose clock is the process's steady one and the device's.
#pragma once

#include <penstock/plan/list.hpp>

#include <cstdint>

namespace penstock::trace {

inline constexpr char magic[8] = {'P', 'N', 'S', 'T', 'O', 'C', 'K', 'T'};
inline constexpr std::uint32_t format_version = 1;
inline constexpr std::uint32_t max_stages = 256;  // a record's stage has 8 bits
inline constexpr std::uint32_t max_agents = 256;
inline constexpr std::uint32_t max_blocks = 1u << 20;
inline constexpr std::uint32_t max_capacity = 1u << 24;

struct header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t stages;
  std::uint32_t agents;
  std::uint32_t blocks;
  std::uint32_t capacity;        // records of each track
  std::uint32_t clock_khz;       // of the record's clock; 0 where it is not known
  std::uint32_t global_step_ns;  // how coarse the time of the device is
  std::uint32_t reserved;        // 0
  std::uint64_t file_bytes;
};

struct label {
  char utf8[64];  // padded with zero bytes
};

// The same two instants on the device's clock (nanoseconds) and on the block's (ticks), when the block began
// and ended. Both zero at the end: the block did not get there.
struct block_clock {
  std::uint64_t global_begin;
  std::uint64_t clock_begin;
  std::uint64_t global_end;
  std::uint64_t clock_end;
  std::uint32_t block;
  std::uint32_t multiprocessor;
  std::uint64_t reserved;  // 0
};

struct track {
  std::uint64_t written;   // since the launch; what exceeds the capacity was overwritten
  std::uint64_t reserved;  // 0
};

// What the recording agent saw at that instant.
enum class event : std::uint8_t {
  wait = 1,      // it reached the stage's guards
  issue = 2,     // they have passed: the stage starts
  release = 3,   // the stage no longer holds it: a sync stage is complete, an async one is issued
  complete = 4,  // an async stage's instance is complete; whoever waits for it says so, and the first to say
                 // so counts
  stop = 5,      // the stage ended the run at this iteration
  drain = 6,     // it waits for what is still in flight
  drained = 7,   // and has it; stage, slot and iteration of the last two mean nothing
};

struct record {
  std::uint64_t clock;
  std::uint64_t packed;  // from bit 0: kind 8, stage 8, slot 8 (its low bits), iteration 40 (its low bits)
};

static_assert(sizeof(header) == 48 && sizeof(label) == 64 && sizeof(block_clock) == 48 && sizeof(track) == 16 &&
              sizeof(record) == 16);

PENSTOCK_HD constexpr record make_record(std::uint64_t clock, event kind, unsigned stage, unsigned slot,
                                         std::uint64_t iteration) {
  return {clock, static_cast<std::uint64_t>(kind) | std::uint64_t{stage & 0xffu} << 8 |
                     std::uint64_t{slot & 0xffu} << 16 | iteration << 24};
}
PENSTOCK_HD constexpr event kind_of(const record& r) { return static_cast<event>(r.packed & 0xff); }
PENSTOCK_HD constexpr unsigned stage_of(const record& r) { return static_cast<unsigned>(r.packed >> 8 & 0xff); }
PENSTOCK_HD constexpr unsigned slot_of(const record& r) { return static_cast<unsigned>(r.packed >> 16 & 0xff); }
PENSTOCK_HD constexpr std::uint64_t iteration_of(const record& r) { return r.packed >> 24; }

// Where the parts begin, in bytes. The counts must lie within the limits above, so that nothing overflows.
struct layout {
  std::uint64_t stage_labels = 0, agent_labels = 0, block_clocks = 0, tracks = 0, records = 0, file_bytes = 0;
};

PENSTOCK_HD constexpr layout layout_of(std::uint32_t stages, std::uint32_t agents, std::uint32_t blocks,
                                       std::uint32_t capacity) {
  layout l;
  l.stage_labels = sizeof(header);
  l.agent_labels = l.stage_labels + std::uint64_t{stages} * sizeof(label);
  l.block_clocks = l.agent_labels + std::uint64_t{agents} * sizeof(label);
  l.tracks = l.block_clocks + std::uint64_t{blocks} * sizeof(block_clock);
  const std::uint64_t tracks = std::uint64_t{blocks} * agents;
  l.records = l.tracks + tracks * sizeof(track);
  l.file_bytes = l.records + tracks * capacity * sizeof(record);
  return l;
}

}  // namespace penstock::trace
