// Device memory of a test: allocated, filled, read back and freed, with every error a failed requirement.
#pragma once

#include <doctest/doctest.h>

#include <cuda_runtime.h>

#include <vector>

inline void require(cudaError_t code) { REQUIRE_MESSAGE(code == cudaSuccess, cudaGetErrorString(code)); }

template <class T>
class device_array {
 public:
  explicit device_array(std::size_t count) : count_(count) { require(cudaMalloc(&data_, count * sizeof(T) + 16)); }
  explicit device_array(const std::vector<T>& v) : device_array(v.size()) { *this = v; }
  ~device_array() { cudaFree(data_); }
  device_array(const device_array&) = delete;
  void operator=(const std::vector<T>& v) {
    require(cudaMemcpy(data_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice));
  }
  std::vector<T> read() const {
    std::vector<T> v(count_);
    require(cudaMemcpy(v.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return v;
  }
  T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};
