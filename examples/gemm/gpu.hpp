// The product on a GPU: matrices, launches, and cuBLAS beside them where the program was built with it.
#pragma once

#include <penstock/run/tensor_map.hpp>

#include <algorithm>
#include <memory>

#if defined(PENSTOCK_HAVE_CUBLAS)
#include <cublas_v2.h>
#endif

#include "ampere.hpp"
#include "hopper.hpp"
#include "kernels.hpp"
#include "support/gpu.hpp"

namespace penstock::examples::gemm {

static __global__ void products_probe(int* there) { *there = arch::hopper::has_products; }

inline int multiprocessors() {
  int device = 0, count = 0;
  require_cuda(cudaGetDevice(&device), "there is no usable GPU");
  require_cuda(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cannot query the GPU");
  return count;
}

template <class... Parameters, class... Arguments>
void start(void (*kernel)(Parameters...), int blocks, int threads, std::size_t shared, Arguments... arguments) {
  require_cuda(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared)),
        "the GPU's blocks have too little shared memory for this kernel");
  kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), shared>>>(arguments...);
  require_cuda(cudaGetLastError(), "cannot launch the kernel");
}

// One product, ready to run again and again.
class multiplication {
 public:
  multiplication(const product& p, const int* filled, bool by_warpgroups) : p_(p), filled_(filled) {
    if (!by_warpgroups) return;
    const gpu_array<int> there(std::vector<int>{0});
    products_probe<<<1, 1>>>(there.data());
    require_cuda(cudaGetLastError(), "cannot launch a kernel");
    if (there.read()[0] == 0)
      throw std::runtime_error(
          "the hopper product needs a GPU of compute capability 9.0 and code for sm_90a; "
          "--backend ampere runs here");
    // TMA takes the pointers as they are; it writes through none but c's
    bf16* a = const_cast<bf16*>(p.a);
    bf16* b = const_cast<bf16*>(p.b);
    maps_ = std::make_unique<hopper::maps>(hopper::maps{
        make_swizzled<bf16[hopper::tile_rows][hopper::tile_depth], 2>(a, {p.rows, p.depth}, {p.depth, 1}),
        make_swizzled<bf16[hopper::tile_columns][hopper::tile_depth], 2>(b, {p.columns, p.depth}, {p.depth, 1}),
        make_swizzled<bf16[hopper::tile_rows][hopper::store_columns], 2>(p.c, {p.rows, p.columns}, {p.columns, 1})});
  }

  void run() const {
    if (maps_ != nullptr) {
      const tile_order order{blocks_of(p_.rows, hopper::tile_rows), blocks_of(p_.columns, hopper::tile_columns), 16};
      start(hopper::multiply_kernel<hopper::maps>, std::min(order.count(), multiprocessors_), hopper::threads,
            sizeof(hopper::storage) + 1024, *maps_, filled_, order);
    } else {
      const tile_order order{blocks_of(p_.rows, ampere::tile_rows), blocks_of(p_.columns, ampere::tile_columns), 8};
      start(ampere::multiply_kernel<product>, std::min(order.count(), multiprocessors_), ampere::threads,
            sizeof(ampere::storage) + 128, p_, filled_, order);
    }
  }

 private:
  product p_;
  const int* filled_;
  std::unique_ptr<hopper::maps> maps_;
  int multiprocessors_ = multiprocessors();
};

#if defined(PENSTOCK_HAVE_CUBLAS)
class cublas {
 public:
  static constexpr bool present = true;
  cublas() { require(cublasCreate(&handle_)); }
  cublas(const cublas&) = delete;
  cublas& operator=(const cublas&) = delete;
  ~cublas() { (void)cublasDestroy(handle_); }
  // Its matrices are column by column: there, c^T = b a^T.
  void multiply(const product& p) const {
    const float one = 1, zero = 0;
    require(cublasGemmEx(handle_, CUBLAS_OP_T, CUBLAS_OP_N, p.columns, p.rows, p.depth, &one, p.b, CUDA_R_16BF, p.depth,
                         p.a, CUDA_R_16BF, p.depth, &zero, p.c, CUDA_R_16BF, p.columns, CUBLAS_COMPUTE_32F,
                         CUBLAS_GEMM_DEFAULT));
  }

 private:
  static void require(cublasStatus_t status) {
    if (status != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error(std::string("cuBLAS failed: ") + cublasGetStatusString(status));
  }
  cublasHandle_t handle_ = nullptr;
};
#else
struct cublas {
  static constexpr bool present = false;
  void multiply(const product&) const {}
};
#endif

}  // namespace penstock::examples::gemm
