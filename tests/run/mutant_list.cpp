// Lists the mutants that tests/run/mutants.cu runs, one a line: pipeline, what is broken, what the checker says of it.
#include "run/mutant_names.hpp"
#include "run/mutant_subjects.hpp"

#include <cstdio>

namespace {

template <class Subject>
void list() {
  for (int k = 0; k < Subject::count; ++k) {
    const int number = k - 1;  // mutated() leaves the table alone where that is -1
    const std::string broken = number < 0 ? "nothing" : mutants::name_of(Subject::table, number);
    const auto found = penstock::check::explore(penstock::check::table_of(mutants::mutated(Subject::table, number)));
    const std::string verdict = found.sound() ? "sound" : std::string(penstock::check::fault_name(found.worst.kind));
    std::printf("%s\t%s\t%s\n", Subject::name().c_str(), broken.c_str(), verdict.c_str());
  }
}
template <class... Subjects>
void list_all(const std::tuple<Subjects...>&) { (list<Subjects>(), ...); }

}  // namespace

int main() { list_all(mutants::subjects{}); }
