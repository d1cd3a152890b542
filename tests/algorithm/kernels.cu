// The kernels whose registers, spills and instructions support/sass_gate.py holds to limits: compiled, never run.
#include <penstock/algorithm/algorithm.hpp>

#include <overhead/by_hand.hpp>
#include <overhead/declared.hpp>

namespace {

struct plus {
  template <class T>
  __device__ T operator()(T a, T b) const { return a + b; }
};

}  // namespace

void instantiate(float* to, const float* from, double* wide, unsigned char* bytes, const int* index, void** targets,
                 void** sources) {
  using namespace penstock;
  copy(nullptr, to, from, 1);
  copy(nullptr, to, from, 1, pipelined<>{});
  transform(nullptr, to, inputs(from, from), 1, plus{});
  transform(nullptr, bytes, inputs(bytes, bytes), 1, plus{});
  transform(nullptr, to, inputs(from, from), 1, plus{}, pipelined<>{});
  convert(nullptr, to, wide, 1);
  reduce(nullptr, to, from, 1, 0.0f, plus{});
  reduce(nullptr, wide, wide, 1, 0.0, plus{});
  transpose(nullptr, to, from, 1, 1);
  pack(nullptr, to, from, halo_shape{});
  gather(nullptr, to, from, 1, index, 1);
  copy_batched(nullptr, targets, const_cast<const void**>(sources), index, 1);
}

template __global__ void overhead::declared<2, overhead::heavy, penstock::specialised<>>(const float*, float*,
                                                                                         long long, long long*);
template __global__ void overhead::declared<4, overhead::heavy, penstock::specialised<>>(const float*, float*,
                                                                                         long long, long long*);
template __global__ void overhead::declared<8, overhead::heavy, penstock::specialised<>>(const float*, float*,
                                                                                         long long, long long*);
template __global__ void overhead::declared<4, overhead::nothing, penstock::specialised<>>(const float*, float*,
                                                                                           long long, long long*);
template __global__ void overhead::by_hand<2, overhead::heavy>(const float*, float*, long long, long long*);
template __global__ void overhead::by_hand<4, overhead::heavy>(const float*, float*, long long, long long*);
template __global__ void overhead::by_hand<8, overhead::heavy>(const float*, float*, long long, long long*);
template __global__ void overhead::by_hand<4, overhead::nothing>(const float*, float*, long long, long long*);
