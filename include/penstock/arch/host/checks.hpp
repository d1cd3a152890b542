// What checked builds do on the host when a program breaks a rule or nobody comes: an exception with one sentence.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

namespace penstock::arch::host {

struct checks {
  static long long nanoseconds() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  static void between_polls() { std::this_thread::yield(); }
  [[noreturn]] static void fail(const char* sentence, unsigned slot, long long instance) {
    throw std::logic_error("penstock: " + std::string(sentence) + " (slot " + std::to_string(slot) + ", instance " +
                           std::to_string(instance) + ")");
  }
  [[noreturn]] static void stalled(const char* waiter, const char* on, long long instance, unsigned slot, unsigned parity) {
    throw std::logic_error("penstock: stage '" + std::string(waiter) + "' waits for instance " + std::to_string(instance) +
                           " of stage '" + on + "' (slot " + std::to_string(slot) + ", parity " + std::to_string(parity) +
                           "), and nobody signals it");
  }
};

}  // namespace penstock::arch::host
