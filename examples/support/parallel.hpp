// Work spread over the processors of the host, and how long it took.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

namespace penstock::examples {

inline long long host_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

// Calls work(0) … work(count - 1), several at a time. An exception of one is thrown here once all have ended.
template <class Work>
void in_parallel(long long count, const Work& work) {
  std::atomic<long long> next{0};
  const auto take = [&] {
    for (long long k = next++; k < count; k = next++) work(k);
  };
  std::vector<std::future<void>> helpers;
  for (long long t = 1; t < std::min(host_threads(), count); ++t)
    helpers.push_back(std::async(std::launch::async, take));
  take();
  for (auto& helper : helpers) helper.get();
}

template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> seconds) {
  std::nth_element(seconds.begin(), seconds.begin() + static_cast<long>(seconds.size() / 2), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace penstock::examples
