// Prints what the tables of every entry promise on a target, as JSON for the PTX lint:
//   promises TARGET        75, 80 or 90
#include "ptx/entries.hpp"
#include "ptx/language.hpp"

#include <cstdio>
#include <cstdlib>

namespace {

using namespace penstock;

template <class Entry>
std::string promise(backend target) {
  using whole = typename Entry::whole;
  constexpr auto plan = detail::with_stops(whole::plan, Entry::stop_bits);
  const auto table = lower<count_candidates(plan) + 1, most_steps(plan), typename Entry::mapping>(plan, target);
  lint::language of(table, {Entry::move::ragged, Entry::move::tensor, Entry::move::rank}, Entry::sourced, Entry::runs);
  const bool roles = Entry::mapping::arrangement == arrangement::specialised;
  return "{\"name\":\"" + std::string(Entry::label.view()) + (roles ? ", specialised" : ", uniform") + "\",\"language\":" +
         of.json() + "}";
}

template <int... I>
void print_all(std::integer_sequence<int, I...>, backend target) {
  const char* before = "[\n";
  ((std::printf("%s%s", before, promise<std::tuple_element_t<I, lint::every_entry>>(target).c_str()), before = ",\n"), ...);
  std::puts("\n]");
}

}  // namespace

int main(int count, char** words) {
  const int target = count == 2 ? std::atoi(words[1]) : 0;
  if (target != 75 && target != 80 && target != 90) {
    std::fputs("usage: promises 75|80|90\n", stderr);
    return 2;
  }
  print_all(std::make_integer_sequence<int, lint::entry_count>{}, backend_for(target));
}
