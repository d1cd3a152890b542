// What this machine can run, and whether this build can run on it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace penstock::command {

struct device {
  std::string name{};
  int capability = 0;  // 90 for compute capability 9.0
  int multiprocessors = 0;
  std::size_t memory_bytes = 0;
  int shared_bytes_block = 0;  // at most, after opting in
  int shared_bytes_multiprocessor = 0;
  int code_capability = 0;  // what the code that would run here was compiled for; 0 where there is none
  bool translated = false;  // the driver makes it from PTX of an older target
  std::string trouble{};    // why nobody knows, where the runtime says so
};

struct machine {
  bool built_with_cuda = false;
  int runtime_version = 0;  // 13000 for CUDA 13.0
  int driver_version = 0;   // 0 where there is no driver
  std::string trouble{};    // why no device could be asked
  std::vector<device> devices{};
};

// Defined with the CUDA runtime where the build has it.
machine examine_machine();

std::string doctor_text(const machine& m);

}  // namespace penstock::command
