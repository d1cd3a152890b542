// copy_batched: many buffers of any sizes and alignments at once.
#pragma once

#include <penstock/algorithm/detail/batched_kernel.hpp>

namespace penstock {

// Copies sizes[k] bytes from sources[k] to targets[k] for k below count; all three arrays lie on the device. A size of
// 0 or less copies nothing, and its pointers may be null. No target may overlap any other buffer or these arrays: that
// cannot be checked here. One launch on `stream`, a stream of the current device; asynchronous, usable in graph
// capture, no temporary memory. Throws penstock::error before anything is launched: where count is negative or too
// large, or an array is null or misaligned.
template <class Targets, class Sources, class Sizes>
void copy_batched(cudaStream_t stream, Targets targets, Sources sources, Sizes sizes, long long count) {
  using Size = std::remove_const_t<detail::element_of<Sizes>>;
  using To = std::remove_const_t<detail::element_of<Targets>>;
  using From = std::remove_const_t<detail::element_of<Sources>>;
  static_assert(std::is_integral_v<Size>, "the sizes of a batch are integers");
  static_assert(std::is_pointer_v<To> && std::is_pointer_v<From>, "a batch is given by arrays of pointers");
  static_assert(!std::is_const_v<std::remove_pointer_t<To>>,
                "the targets of a batch are written: they must not be const");
  const long long pointers = detail::checked_bytes(count, sizeof(void*), "the count of buffers");
  if (count == 0) return;
  const auto* to = contiguous<Targets>::address(targets);
  const auto* from = contiguous<Sources>::address(sources);
  const auto* size = contiguous<Sizes>::address(sizes);
  detail::check_memory(to, pointers, alignof(void*), "the array of targets");
  detail::check_memory(from, pointers, alignof(void*), "the array of sources");
  detail::check_memory(size, detail::checked_bytes(count, sizeof(Size), "the count of buffers"), alignof(Size),
                       "the array of sizes");
  detail::start_batch(stream, reinterpret_cast<unsigned char* const*>(to),
                      reinterpret_cast<const unsigned char* const*>(from), size, count);
}

}  // namespace penstock
