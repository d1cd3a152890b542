// Threads of the executor as ThreadSanitizer sees them. Each modelled thread and each copy is a fiber of its own, run
// on one thread of the system, and ordered by nothing but the edges declared here: a missing wait is reported in every
// run, not when luck has it. In other builds this is nothing at all.
#pragma once

#if defined(__SANITIZE_THREAD__)
#define PENSTOCK_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define PENSTOCK_TSAN 1
#endif
#endif

#if defined(PENSTOCK_TSAN)
extern "C" {
void* __tsan_get_current_fiber(void);
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void __tsan_set_fiber_name(void* fiber, const char* name);
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void __tsan_ignore_thread_begin(void);
void __tsan_ignore_thread_end(void);
}
#endif

namespace penstock::check::detail {

class fiber {
 public:
#if defined(PENSTOCK_TSAN)
  explicit fiber(const char* name) : fiber_(__tsan_create_fiber(0)) { __tsan_set_fiber_name(fiber_, name); }
  ~fiber() { __tsan_destroy_fiber(fiber_); }
  // Everything f does is done by this fiber. The frame that switches must be the one that switches back.
  template <class F>
  void run(F&& f) {
    constexpr unsigned no_sync = 1;
    void* const caller = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(fiber_, no_sync);
    __tsan_ignore_thread_begin();
    f();
    __tsan_ignore_thread_end();
    __tsan_switch_to_fiber(caller, no_sync);
  }

 private:
  void* fiber_;
#else
  explicit fiber(const char*) {}
  template <class F>
  void run(F&& f) { f(); }
#endif
 public:
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;
};

// The executor's own accesses are none of the program's: only what is done while one of these lives is watched.
struct watched {
#if defined(PENSTOCK_TSAN)
  watched() { __tsan_ignore_thread_end(); }
  ~watched() { __tsan_ignore_thread_begin(); }
#else
  watched() {}  // not trivial, so that a variable of it is not unused
#endif
  watched(const watched&) = delete;
  watched& operator=(const watched&) = delete;
};

// What is released here happens before what acquires it later.
struct edge {
#if defined(PENSTOCK_TSAN)
  void release() { __tsan_release(&place); }
  void acquire() { __tsan_acquire(&place); }
#else
  void release() {}
  void acquire() {}
#endif
  char place = 0;
};

}  // namespace penstock::check::detail
