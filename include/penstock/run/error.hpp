// Errors: std::system_error with one sentence that says what was given and what is allowed.
#pragma once

#include <string>
#include <system_error>

#if defined(__CUDACC__)
#include <cuda_runtime_api.h>
#endif

namespace penstock {

// What the library itself refuses carries std::errc; what CUDA refuses carries CUDA's code in cuda_category().
class error : public std::system_error {
 public:
  using std::system_error::system_error;
};

// The sentence says what was given and what is allowed.
[[noreturn]] inline void refuse(std::errc code, const std::string& sentence) {
  throw error(std::make_error_code(code), sentence);
}

#if defined(__CUDACC__)
inline const std::error_category& cuda_category() {
  struct category final : std::error_category {
    const char* name() const noexcept override { return "cuda"; }
    std::string message(int code) const override { return cudaGetErrorString(static_cast<cudaError_t>(code)); }
  };
  static const category instance;
  return instance;
}

// Throws unless the call succeeded; `what` says what could not be done.
inline void require_cuda(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return;
  (void)cudaGetLastError();  // reported here; a later call must not be blamed for it
  throw error(static_cast<int>(code), cuda_category(), what);
}
#endif

}  // namespace penstock
