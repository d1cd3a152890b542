// Which device a launch is for, and what it says where it fails.
#pragma once

#include <penstock/run/error.hpp>

#include <cuda_runtime_api.h>

#include <string>

namespace penstock::detail {

inline int current_device() {
  int device = 0;
  require_cuda(cudaGetDevice(&device), "there is no usable CUDA device");
  return device;
}

// What a launch on a stream returned.
inline void require_launched(cudaError_t code, const char* what) {
  if (code != cudaErrorInvalidResourceHandle) return require_cuda(code, what);
  const std::string sentence = std::string(what) + ": the stream given must be one of the current device, " +
                               std::to_string(current_device()) + ", and not destroyed";
  require_cuda(code, sentence.c_str());
}

}  // namespace penstock::detail
