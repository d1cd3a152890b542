// The pipelines whose tables tests/run/mutants.cu runs broken, and in which order their mutants are numbered.
#pragma once

#include "run/table_mutants.hpp"

#include "run/cases.hpp"

#include <string>
#include <tuple>

namespace mutants {

// A pipeline under a mapping on a backend. Its first mutant has nothing broken: whoever objects to it cries wolf.
template <class Case, class Mapping, backend Target>
struct subject {
  using pipeline = Case;
  using mapping = Mapping;
  static constexpr backend target = Target;
  static constexpr auto table =
      lower<room_for_guards(Case::line::plan), most_steps(Case::line::plan), Mapping>(Case::line::plan, Target);
  static constexpr int count = count_mutations(table) + 1;
  static std::string name() {
    const bool roles = Mapping::arrangement == arrangement::specialised;
    return std::string(Case::name) + ", " + std::string(backend_name(Target)) + (roles ? ", specialised" : ", uniform");
  }
};

using subjects = std::tuple<subject<cases::three<4, 2>, specialised<2>, backend::hopper>,
                            subject<cases::windowed<-1, 1, 3>, uniform<2>, backend::hopper>,
                            subject<cases::in_place<4>, uniform<2>, backend::ampere>,
                            subject<cases::chain<2>, uniform<2>, backend::portable>>;

}  // namespace mutants
