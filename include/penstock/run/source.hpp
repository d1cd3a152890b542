// Pipelines whose number of iterations nobody knows beforehand: a source yields what to do next, or the end.
#pragma once

#include <penstock/run/bind.hpp>

#include <type_traits>

namespace penstock {

// What a source returns when there is nothing left; any negative number is an end.
inline constexpr long long no_more = -1;

namespace detail {

inline constexpr name item_name{"next item"};
inline constexpr name source_name{"source"};

struct reads_item {
  static constexpr auto clause = detail::clause::item;
  static constexpr auto id = item_name;
};
struct writes_item {
  static constexpr auto clause = detail::clause::next_item;
  static constexpr auto id = item_name;
};

template <class Clauses, class Last>
struct appended;
template <class... Clauses, class Last>
struct appended<clause_list<Clauses...>, Last> { using type = clause_list<Clauses..., Last>; };

// A stage that also learns what to do from the ring of items.
template <class Stage>
struct sourced_stage {
  using clauses = typename appended<typename Stage::clauses, reads_item>::type;
  static constexpr auto part = detail::part::stage;
  static constexpr auto id = Stage::id;
  static constexpr penstock::mode mode = Stage::mode;
};
struct source_stage {
  using clauses = clause_list<writes_item>;
  static constexpr auto part = detail::part::stage;
  static constexpr auto id = source_name;
  static constexpr penstock::mode mode = penstock::mode::sync;
};

template <class Part>
constexpr auto sourced_part() {
  if constexpr (Part::part == part::stage) return static_cast<sourced_stage<Part>*>(nullptr);
  else return static_cast<Part*>(nullptr);
}

// Deep enough that every other ring runs full before this one: its own guards then cost nothing.
template <class... Parts>
constexpr int item_slots(const pipeline<Parts...>*) {
  int slots = 1;
  for (const buffer_info& b : pipeline<Parts...>::plan.buffers) slots += b.depth + 1;
  return slots;
}

template <class... Parts>
constexpr auto sourced_pipeline(const pipeline<Parts...>*) {
  static_assert(pipeline<Parts...>::plan.stage_index(source_name.view()) < 0 &&
                    pipeline<Parts...>::plan.buffer_index(item_name.view()) < 0,
                "a run with a source adds a stage 'source' and a buffer 'next item': "
                "give the pipeline's own other names");
  using item_depth = penstock::depth<item_slots(static_cast<pipeline<Parts...>*>(nullptr))>;
  return static_cast<pipeline<buffer<item_name, long long, item_depth>, source_stage,
                              std::remove_pointer_t<decltype(sourced_part<Parts>())>...>*>(nullptr);
}

}  // namespace detail

// P with a source in front: the hidden stage that asks, and the ring of items that every stage reads.
template <class P>
using with_source = std::remove_pointer_t<decltype(detail::sourced_pipeline(static_cast<P*>(nullptr)))>;

}  // namespace penstock
