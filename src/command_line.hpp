// The penstock command, apart from its process: arguments in; text, files and an exit status out.
#pragma once

#include "doctor.hpp"

#include <string>
#include <vector>

namespace penstock::command {

inline constexpr int sound = 0;  // or done, where there is no plan to judge
inline constexpr int rejected = 1;
inline constexpr int unreadable = 2;  // input, usage or output

struct outcome {
  int status = sound;
  std::string output{};  // for standard output
  std::string error{};   // one line for standard error, without its newline; empty where there is none
};

// The arguments after the program's name. Reads and writes the files they name.
outcome run_command(const std::vector<std::string>& arguments, machine (*examine)() = examine_machine);

}  // namespace penstock::command
