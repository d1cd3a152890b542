// The grid in a GPU's memory, and what the last step changed there.
#pragma once

#include <penstock/run/error.hpp>

#include <thrust/device_vector.h>
#include <thrust/inner_product.h>

#include <new>
#include <stdexcept>

#include "grid.hpp"
#include "support/gpu.hpp"

namespace penstock::examples {

template <class T>
struct larger {
  PENSTOCK_HD T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct changed {
  PENSTOCK_HD T operator()(T a, T b) const { return change(a, b); }
};

// Two copies of the grid in the GPU's memory, between which steps go back and forth. Padding is zero and
// stays zero.
template <class T>
class gpu_grids {
 public:
  explicit gpu_grids(const grid& g) : g_(g), pitch_(pitch_of<T>(g)) {
    const auto count = static_cast<std::size_t>(pitch_ * g.rows * g.planes);
    require_gpu_memory(2 * count * sizeof(T));
    try {
      for (auto& v : cells_) v = thrust::device_vector<T>(count);
    } catch (const std::bad_alloc&) {  // which would be reported as the host's
      throw std::runtime_error("the GPU has too little free memory for this grid");
    }
  }
  T* cells(std::uint64_t k) { return thrust::raw_pointer_cast(cells_[k % 2].data()); }
  void load(const T* from) { copy_rows(cells(0), pitch_, from, g_.columns, cudaMemcpyHostToDevice); }
  void store(std::uint64_t k, T* to) { copy_rows(to, g_.columns, cells(k), pitch_, cudaMemcpyDeviceToHost); }
  T residual() const {
    return thrust::inner_product(cells_[0].begin(), cells_[0].end(), cells_[1].begin(), T(0), larger<T>{},
                                 changed<T>{});
  }

 private:
  void copy_rows(T* to, long long to_pitch, const T* from, long long from_pitch, cudaMemcpyKind kind) const {
    const auto bytes = [](long long n) { return static_cast<std::size_t>(n) * sizeof(T); };
    constexpr long long widest = 1ll << 30;  // of a row, in bytes, that cudaMemcpy2D takes
    const long long lines = g_.planes * g_.rows;
    if (bytes(pitch_) <= widest) {
      require_cuda(cudaMemcpy2D(to, bytes(to_pitch), from, bytes(from_pitch), bytes(g_.columns),
                         static_cast<std::size_t>(lines), kind),
            "cannot copy the grid");
      return;
    }
    for (long long line = 0; line < lines; ++line)
      require_cuda(cudaMemcpy(to + line * to_pitch, from + line * from_pitch, bytes(g_.columns), kind),
                   "cannot copy the grid");
  }

  grid g_;
  long long pitch_;
  thrust::device_vector<T> cells_[2];
};

}  // namespace penstock::examples
