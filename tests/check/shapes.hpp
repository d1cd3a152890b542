// The pipelines whose tables are proven, and every way they are mapped.
#pragma once

#include <penstock/check/explore.hpp>
#include <penstock/run/source.hpp>

#include <string>

namespace shapes {

using namespace penstock;
using tile = float[8];

template <int D>
using copy =
    pipeline<buffer<"b", tile, depth<D>>, stage<"read", async, writes<"b">>, stage<"write", async, reads<"b">>>;

template <int In, int Out>
using three = pipeline<buffer<"in", tile, depth<In>>, buffer<"out", tile, depth<Out>>,
                       stage<"read", async, writes<"in">>, stage<"compute", penstock::sync, reads<"in">, writes<"out">>,
                       stage<"write", async, reads<"out">>>;

template <int In, int Out>
using stencil = pipeline<buffer<"in", tile, depth<In>>, buffer<"out", tile, depth<Out>>,
                         stage<"read", async, writes<"in">>,
                         stage<"compute", penstock::sync, reads<"in", window<-1, 1>>, writes<"out">>,
                         stage<"write", async, reads<"out">>>;

template <int D>
using axpy = pipeline<buffer<"x", tile, depth<D>>, buffer<"y", tile, depth<D>>, stage<"read x", async, writes<"x">>,
                      stage<"read y", async, writes<"y">>, stage<"axpy", penstock::sync, reads<"x">, updates<"y">>,
                      stage<"write", async, reads<"y">>>;

// Two bodies of one agent, one after the other; a ring of one slot.
using chain = pipeline<buffer<"a", tile, depth<3>>, buffer<"m", tile, depth<2>>, buffer<"o", tile, depth<1>>,
                       stage<"read", async, writes<"a">>, stage<"f", penstock::sync, reads<"a">, writes<"m">>,
                       stage<"g", penstock::sync, reads<"m">, writes<"o">>, stage<"write", async, reads<"o">>>;

// Two compute agents that read the same copies, the second looking ahead.
using two_agents =
    pipeline<buffer<"a", tile, depth<3>>, buffer<"m", tile, depth<2>>, buffer<"o", tile, depth<2>>,
             stage<"read", async, writes<"a">>, stage<"f", penstock::sync, reads<"a">, writes<"m">, agent<"A", 4>>,
             stage<"g", penstock::sync, reads<"m">, reads<"a", window<0, 1>>, writes<"o">, agent<"B", 2>>,
             stage<"write", async, reads<"o">>>;

// Ping-pong: two agents in turns on one value that lives in place, and no copies at all.
using in_place = pipeline<buffer<"v", tile, depth<2>>, stage<"make", penstock::sync, writes<"v">, agent<"A", 1>>,
                          stage<"change", penstock::sync, updates<"v">, agent<"B", 1>>,
                          stage<"use", penstock::sync, reads<"v", window<-1, 0>>, agent<"A", 1>>>;

struct named_table {
  std::string name;
  check::table table;
  int guards_left_out = 0;  // proven redundant
};

template <class P, class Mapping, backend Target, unsigned long long Stops>
named_table make(const char* shape, const char* mapping) {
  std::string name = std::string(shape) + ", " + mapping + " on " + std::string(backend_name(Target));
  if (Stops != 0) name += ", stopping";
  constexpr const auto& l = lowered<P, Mapping, Target, Stops>::table;
  return {name, check::table_of(l), count_candidates(l.mapped) - l.guards.size()};
}

// One shape under every mapping and backend.
template <class P, unsigned long long Stops = 0, class F>
void for_each_table(const char* shape, F&& f) {
  f(make<P, specialised<8>, backend::hopper, Stops>(shape, "specialised<8>"));
  f(make<P, specialised<1>, backend::hopper, Stops>(shape, "specialised<1>"));
  f(make<P, uniform<8>, backend::hopper, Stops>(shape, "uniform<8>"));
  f(make<P, uniform<1>, backend::hopper, Stops>(shape, "uniform<1>"));
  f(make<P, uniform<8>, backend::ampere, Stops>(shape, "uniform<8>"));
  f(make<P, uniform<8>, backend::portable, Stops>(shape, "uniform<8>"));
  f(make<P, specialised<8>, backend::host, Stops>(shape, "specialised"));
  f(make<P, sequential, backend::host, Stops>(shape, "sequential"));
}

template <class F>
void for_each_sound_table(F&& f) {
  for_each_table<copy<1>>("copy<1>", f);
  for_each_table<copy<4>>("copy<4>", f);
  for_each_table<three<2, 2>>("three<2, 2>", f);
  for_each_table<three<4, 1>>("three<4, 1>", f);
  for_each_table<stencil<4, 2>>("stencil<4, 2>", f);
  for_each_table<axpy<4>>("axpy<4>", f);
  for_each_table<chain>("chain", f);
  for_each_table<two_agents>("two agents", f);
  for_each_table<in_place>("in place", f);
}

template <class F>
void for_each_stopping_table(F&& f) {
  for_each_table<three<2, 2>, 2>("three<2, 2>", f);
  for_each_table<stencil<4, 2>, 2>("stencil<4, 2>", f);
  for_each_table<axpy<3>, 4>("axpy<3>", f);
  for_each_table<chain, 2>("chain, f", f);
  for_each_table<chain, 4>("chain, g", f);
  for_each_table<two_agents, 2>("two agents, f", f);
  for_each_table<two_agents, 6>("two agents, both", f);
  for_each_table<in_place, 2>("in place", f);
}

template <class F>
void for_each_sourced_table(F&& f) {
  for_each_table<with_source<copy<2>>>("copy<2> from a source", f);
  for_each_table<with_source<three<2, 2>>>("three<2, 2> from a source", f);
  for_each_table<with_source<stencil<3, 2>>>("stencil<3, 2> from a source", f);
  for_each_table<with_source<stencil<3, 2>>, 4>("stencil<3, 2> from a source", f);  // the source is stage 0
  for_each_table<with_source<two_agents>, 8>("two agents from a source", f);
}

}  // namespace shapes
