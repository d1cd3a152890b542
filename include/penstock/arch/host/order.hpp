// Host copies are complete when they return: nothing to commit, nothing to fence.
#pragma once

namespace penstock::arch::host {

struct order {
  static void fence_async() {}
  static void commit_bulk() {}
  template <int Pending>
  static void wait_reads() {}
  template <int Pending>
  static void wait_writes() {}
  static void commit_copies() {}
  template <int Pending>
  static void wait_copies() {}
};

}  // namespace penstock::arch::host
