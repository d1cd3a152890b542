// Values that blocks of a GPU, or threads of the host, read and change together.
#pragma once

#if defined(__CUDACC__)
#include <cuda/atomic>
#else
#include <atomic>
#endif

#include <penstock/plan/list.hpp>

namespace penstock::examples {

using count64 = unsigned long long;

#if defined(__CUDACC__)
using shared_count = cuda::atomic_ref<count64, cuda::thread_scope_device>;
inline constexpr auto unordered = cuda::memory_order_relaxed;
#else
using shared_count = std::atomic_ref<count64>;
inline constexpr auto unordered = std::memory_order_relaxed;
#endif

PENSTOCK_HD inline count64 look_at(count64& value) { return shared_count(value).load(unordered); }

PENSTOCK_HD inline void lower(count64& value, count64 to) {
  count64 seen = look_at(value);
  while (to < seen && !shared_count(value).compare_exchange_weak(seen, to, unordered, unordered)) {
  }
}
PENSTOCK_HD inline void raise(count64& value, count64 to) {
  count64 seen = look_at(value);
  while (to > seen && !shared_count(value).compare_exchange_weak(seen, to, unordered, unordered)) {
  }
}

}  // namespace penstock::examples
