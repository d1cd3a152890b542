// Arrays on the device for tests of device-wide algorithms: bytes coded by position, and guards that must survive.
#pragma once

#include "support/device_array.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace device {

using ::require;

// Never constant, never the same at two places that an off-by-a-power-of-two could confuse.
inline unsigned char coded_byte(long long place, unsigned seed) {
  std::uint64_t x = static_cast<std::uint64_t>(place) * 0x9e3779b97f4a7c15ull + seed;
  x ^= x >> 29;
  x *= 0xbf58476d1ce4e5b9ull;
  return static_cast<unsigned char>(x >> 37);
}

class bytes {
 public:
  explicit bytes(long long size) : size_(size) { require(cudaMalloc(&data_, static_cast<std::size_t>(size))); }
  ~bytes() { cudaFree(data_); }
  bytes(const bytes&) = delete;
  bytes& operator=(const bytes&) = delete;

  void write(const std::vector<unsigned char>& v) {
    require(cudaMemcpy(data_, v.data(), v.size(), cudaMemcpyHostToDevice));
  }
  std::vector<unsigned char> read() const {
    std::vector<unsigned char> v(static_cast<std::size_t>(size_));
    require(cudaMemcpy(v.data(), data_, v.size(), cudaMemcpyDeviceToHost));
    return v;
  }
  void fill(unsigned char value) { require(cudaMemset(data_, value, static_cast<std::size_t>(size_))); }
  unsigned char* data() const { return data_; }
  long long size() const { return size_; }

 private:
  unsigned char* data_ = nullptr;
  long long size_;
};

inline std::vector<unsigned char> coded(long long size, unsigned seed) {
  std::vector<unsigned char> v(static_cast<std::size_t>(size));
  for (long long k = 0; k < size; ++k) v[static_cast<std::size_t>(k)] = coded_byte(k, seed);
  return v;
}

template <class T>
using array = device_array<T>;

// The first byte at which two buffers differ, or -1.
inline long long first_difference(const std::vector<unsigned char>& a, const std::vector<unsigned char>& b) {
  if (a.size() != b.size()) return static_cast<long long>(a.size() < b.size() ? a.size() : b.size());
  if (std::memcmp(a.data(), b.data(), a.size()) == 0) return -1;
  std::size_t k = 0;
  while (a[k] == b[k]) ++k;
  return static_cast<long long>(k);
}

}  // namespace device
