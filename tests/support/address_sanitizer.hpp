// What a test tells the address sanitizer: memory that must not be touched, switches of stacks. Else nothing.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#define PENSTOCK_TEST_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PENSTOCK_TEST_ASAN 1
#endif
#endif

#if defined(PENSTOCK_TEST_ASAN)
extern "C" {
void __asan_poison_memory_region(const volatile void*, std::size_t);
void __sanitizer_start_switch_fiber(void**, const void*, std::size_t);
void __sanitizer_finish_switch_fiber(void*, const void**, std::size_t*);
}
#endif

namespace asan {

#if defined(PENSTOCK_TEST_ASAN)
inline constexpr bool present = true;
inline void poison(const void* from, std::size_t bytes) { __asan_poison_memory_region(from, bytes); }
// `left` keeps what the stack that is left holds; null where it ends. The stack that is entered lies at `to`.
inline void leave_stack(void** left, const void* to, std::size_t bytes) {
  __sanitizer_start_switch_fiber(left, to, bytes);
}
inline void enter_stack(void* left, const void** from, std::size_t* bytes) {
  __sanitizer_finish_switch_fiber(left, from, bytes);
}
#else
inline constexpr bool present = false;
inline void poison(const void*, std::size_t) {}
inline void leave_stack(void**, const void*, std::size_t) {}
inline void enter_stack(void*, const void**, std::size_t*) {}
#endif

}  // namespace asan
