// The kernels that the PTX lint looks at: every pipeline of the tests under both mappings, with functions that leave a
// mark where they are called. The same list gives the kernels and, on the host, what their tables promise.
#pragma once

#include "run/table_mutants.hpp"

#include "run/cases.hpp"
#include "run/dynamic_cases.hpp"
#include "run/tile_cases.hpp"

#include <tuple>

namespace lint {

using namespace penstock;

// The comment outlives the compiler and keeps its place among the synchronisation instructions.
template <int Stage>
PENSTOCK_HD inline void mark() {
#if defined(__CUDA_ARCH__)
  asm volatile("// stage %0" ::"n"(Stage) : "memory");
#endif
}

struct nothing {};
// What the copies of an entry return.
struct aligned {
  static constexpr bool ragged = false, tensor = false;
  static constexpr int rank = 0;
  using array = nothing;
  static PENSTOCK_HD aligned_range at(unsigned char* memory, const nothing&, long long i) {
    return to_aligned(memory + i * 16).move;
  }
};
struct ranged {
  static constexpr bool ragged = true, tensor = false;
  static constexpr int rank = 0;
  using array = nothing;
  static PENSTOCK_HD range at(unsigned char* memory, const nothing&, long long i) { return to(memory + i, i).move; }
};
template <class Slot, int Rank>
struct boxes {
  static constexpr bool ragged = false, tensor = true;
  static constexpr int rank = Rank;
  using array = tiled<Slot, Rank>;
  static PENSTOCK_HD tile<array> at(unsigned char*, const array& a, long long i) {
    tile<array> t{&a, {}};
    t.at[0] = i;
    return t;
  }
};

template <name Label, class Pipeline, class Move = aligned, unsigned Stops = 0, bool Sourced = false, int Runs = 1>
struct entry {
  static constexpr auto label = Label;
  using pipeline = Pipeline;
  using move = Move;
  using whole = std::conditional_t<Sourced, with_source<Pipeline>, Pipeline>;  // what is lowered
  static constexpr bool sourced = Sourced;
  static constexpr int runs = Runs;  // of one object
  static constexpr int offset = Sourced ? 1 : 0;  // of its stages among those of the whole
  static constexpr bool stops(int stage) { return (Stops >> stage & 1u) != 0 || Pipeline::plan.stages[stage].stops; }
  static constexpr unsigned long long stop_bits = static_cast<unsigned long long>(Stops) << offset;
};

template <class Entry, class Mapping>
struct mapped_entry : Entry {
  using mapping = Mapping;
};

struct arguments {
  unsigned char* memory = nullptr;
  long long n = 0;
  long long stop_at = 0;
};

template <class Entry, int Stage>
struct stage_function {
  static constexpr bool copies_in = detail::copies_in(Entry::pipeline::plan.stages[Stage]);
  static constexpr bool copies_out = detail::copies_out(Entry::pipeline::plan.stages[Stage]);
  static constexpr bool stops = Entry::stops(Stage);
  const arguments& a;
  const typename Entry::move::array& array;
  template <class... Rest>
  PENSTOCK_HD auto operator()(const Rest&... rest) const {
    mark<Stage + Entry::offset>();
    long long i = 0;
    ((i = last(rest)), ...);  // what comes last is the iteration
    using move = decltype(Entry::move::at(a.memory, array, i));
    if constexpr (copies_in) return incoming<move>{Entry::move::at(a.memory, array, i)};
    else if constexpr (copies_out) return outgoing<move>{Entry::move::at(a.memory, array, i)};
    else if constexpr (stops) return i == a.stop_at ? penstock::stop : go;
  }

 private:
  static PENSTOCK_HD long long last(long long i) { return i; }
  template <class T>
  static PENSTOCK_HD long long last(const T&) { return 0; }
};

template <class Entry>
struct source_function {
  const arguments& a;
  mutable long long next = 0;
  PENSTOCK_HD long long operator()() const {
    mark<0>();
    return next < a.n ? next++ : no_more;
  }
};

template <class Entry, int... Stage>
PENSTOCK_HD void run(const arguments& a, const typename Entry::move::array& array,
                     std::integer_sequence<int, Stage...>) {
  using P = typename Entry::pipeline;
  if constexpr (Entry::runs > 1) {
    static_assert(Entry::runs == 2);
    persistent<P, typename Entry::mapping> object;
    object.run(a.n, bound<detail::stage_at<P, Stage>::id, stage_function<Entry, Stage>>{{a, array}}...);
    object.run(a.n, bound<detail::stage_at<P, Stage>::id, stage_function<Entry, Stage>>{{a, array}}...);
  } else if constexpr (Entry::sourced) {
    penstock::run<P, typename Entry::mapping>(source_function<Entry>{a},
        bound<detail::stage_at<P, Stage>::id, stage_function<Entry, Stage>>{{a, array}}...);
  } else {
    penstock::run<P, typename Entry::mapping>(a.n,
        bound<detail::stage_at<P, Stage>::id, stage_function<Entry, Stage>>{{a, array}}...);
  }
}
template <class Entry>
PENSTOCK_HD void run(const arguments& a, const typename Entry::move::array& array) {
  run<Entry>(a, array, detail::every_stage<typename Entry::pipeline>{});
}

using namespace cases;
template <int Warps, class... Entries>
using roles_and_block =
    std::tuple<mapped_entry<Entries, specialised<Warps>>..., mapped_entry<Entries, uniform<Warps>>...>;

using entries_of_one_warp = roles_and_block<1,
    entry<"one warp, three stages 1 1", three<1, 1>::line>,
    entry<"one warp, chain 2", chain<2>::line>,
    entry<"one warp, sourced, stopping", three<4, 2>::line, aligned, 2, true>>;

using entries_of_two_warps = roles_and_block<2,
    entry<"copy 1", copy<1>::line>,
    entry<"copy 2", copy<2>::line>,
    entry<"copy 5", copy<5>::line>,
    entry<"three stages 1 1", three<1, 1>::line>,
    entry<"three stages 4 2", three<4, 2>::line>,
    entry<"in place 1", in_place<1>::line>,
    entry<"in place 4", in_place<4>::line>,
    entry<"window -1 1", windowed<-1, 1, 3>::line>,
    entry<"window -2 0", windowed<-2, 0, 4>::line>,
    entry<"window -2 -1", windowed<-2, -1, 3>::line>,
    entry<"window 1 2", windowed<1, 2, 4>::line>,
    entry<"chain 1", chain<1>::line>,
    entry<"chain 2", chain<2>::line>,
    entry<"two consumers", two_consumers::line>,
    entry<"stopping 1 1", three<1, 1>::line, aligned, 2>,
    entry<"stopping 4 2", three<4, 2>::line, aligned, 2>,
    entry<"restarted", restartable<4, 2>, aligned, 0, false, 2>,
    entry<"restarted window", restartable_window<4>, aligned, 0, false, 2>,
    entry<"repeated window", windowed<-1, 1, 4>::line, aligned, 0, false, 2>,
    entry<"sourced", three<4, 2>::line, aligned, 0, true>,
    entry<"sourced, stopping", three<4, 2>::line, aligned, 2, true>,
    entry<"sourced window", windowed<-1, 1, 4>::line, aligned, 0, true>,
    entry<"ragged", ragged::line, ranged>,
    entry<"boxes out", tiles::job<float[8][16], 2>::line, boxes<float[8][16], 2>>,
    entry<"boxes in", tiles::seen<float[2][4][8], 3>::line, boxes<float[2][4][8], 3>>>;

using every_entry = decltype(std::tuple_cat(entries_of_two_warps{}, entries_of_one_warp{}));

// Entries whose kernels run broken tables, one for each mutant: the lint must find the difference.
template <class Entry, backend Target>
struct table_of {
  static constexpr auto plan = detail::with_stops(Entry::whole::plan, Entry::stop_bits);
  static constexpr auto table =
      lower<room_for_guards(plan), most_steps(plan), typename Entry::mapping>(plan, Target);
};
template <class Entry, int... N>
auto mutants_of(std::integer_sequence<int, N...>)
    -> std::tuple<mapped_entry<Entry, mutants::broken<typename Entry::mapping, N>>...>;
template <backend Target, class... Entries>
auto mutants_of_all(std::tuple<Entries...>)
    -> decltype(std::tuple_cat(mutants_of<Entries>(
        std::make_integer_sequence<int, mutants::count_mutations(table_of<Entries, Target>::table)>{})...));
template <backend Target>
using every_mutant = decltype(mutants_of_all<Target>(std::tuple<
    mapped_entry<entry<"window -1 1", windowed<-1, 1, 3>::line>, specialised<2>>,
    mapped_entry<entry<"three stages 1 1", three<1, 1>::line>, specialised<2>>,
    mapped_entry<entry<"stopping 1 1", three<1, 1>::line, aligned, 2>, uniform<2>>,
    mapped_entry<entry<"in place 4", in_place<4>::line>, uniform<2>>>{}));

}  // namespace lint
