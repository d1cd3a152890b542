// The loop as a declared pipeline.
#pragma once

#include "overhead/bodies.hpp"

#include <penstock/penstock.hpp>

namespace overhead {

template <int Depth, class Body>
using line = penstock::pipeline<
    penstock::buffer<"in", float[Body::words], penstock::depth<Depth>>,
    penstock::buffer<"out", float[Body::words], penstock::depth<Depth>>,
    penstock::stage<"read", penstock::async, penstock::writes<"in">>,
    penstock::stage<"compute", penstock::sync, penstock::reads<"in">, penstock::writes<"out">>,
    penstock::stage<"write", penstock::async, penstock::reads<"out">>>;

template <int Depth, class Body, class Mapping>
__global__ void __launch_bounds__(compute_threads + 64)
    declared(const float* in, float* out, long long n, long long* cycles) {
  const long long start = clock64();
  penstock::run<line<Depth, Body>, Mapping>(
      n, penstock::on<"read">([&](long long i) { return penstock::from_aligned(source<Body>(in, i)); }),
      penstock::on<"compute">(
          [&](auto group, const auto& a, auto& b, long long) { Body::compute(a, b, group.rank()); }),
      penstock::on<"write">([&](long long i) { return penstock::to_aligned(target<Body>(out, i)); }));
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - start;
}

}  // namespace overhead
