// Prints what lowering tables promise, as JSON for the PTX lint:
//   promises TARGET            of every entry; 75, 80, 90, …
//   promises TARGET mutants    of the entries whose kernels run a broken table: the promise is that of the sound one
#include "ptx/entries.hpp"
#include "ptx/language.hpp"
#include "run/mutant_names.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

using namespace penstock;

template <class Entry, class Table>
std::string language_of(const Table& table) {
  const lint::move_kinds moves{Entry::move::ragged, Entry::move::tensor, Entry::move::rank};
  return lint::language(table, moves, Entry::sourced, Entry::runs).json();
}

template <class Entry>
std::string promise(backend target) {
  using mapping = typename Entry::mapping;
  constexpr auto plan = detail::with_stops(Entry::whole::plan, Entry::stop_bits);
  const auto table = lower<room_for_guards(plan), most_steps(plan), mapping>(plan, target);
  const std::string language = language_of<Entry>(table);
  std::string name = std::string(Entry::label.view()) +
                     (mapping::arrangement == arrangement::specialised ? ", specialised" : ", uniform");
  std::string rest = ",\"language\":" + language + "}";
  if constexpr (requires { mapping::mutation; }) {
    name += ": " + mutants::name_of(table, mapping::mutation);
    rest = ",\"broken\":" + language_of<Entry>(mutants::mutated(table, mapping::mutation)) + rest;
  }
  return "{\"name\":\"" + name + "\"" + rest;
}

template <class... Entries>
void print_all(const std::tuple<Entries...>*, backend target) {
  const char* before = "[\n";
  ((std::printf("%s%s", before, promise<Entries>(target).c_str()), before = ",\n"), ...);
  std::puts("\n]");
}

template <backend Target>
void print(bool broken) {
  if (broken) print_all(static_cast<lint::every_mutant<Target>*>(nullptr), Target);
  else print_all(static_cast<lint::every_entry*>(nullptr), Target);
}

}  // namespace

int main(int count, char** words) {
  const int target = count >= 2 ? std::atoi(words[1]) : 0;
  const bool broken = count == 3 && std::strcmp(words[2], "mutants") == 0;
  if (target >= 75 && (count == 2 || broken)) {
    switch (backend_for(target)) {
      case backend::hopper: print<backend::hopper>(broken); return 0;
      case backend::ampere: print<backend::ampere>(broken); return 0;
      default: print<backend::portable>(broken); return 0;
    }
  }
  std::fputs("usage: promises TARGET [mutants], where TARGET is 75 or more\n", stderr);
  return 2;
}
