// Annotates for ThreadSanitizer the locks of Swift's Synchronization.Mutex that have to be waited for.
//
// A mutex that is free is taken, and one that nobody waits for is given back, by an atomic exchange, which the compiler
// puts into this repository's code: the sanitizer sees it. The rest happens in libswiftSynchronization, which is built
// without the sanitizer, so that a waiting thread seems to have entered unprotected. This library is loaded before that
// one (LD_PRELOAD), stands in for the two functions, and reports the effect of each, at the same address as the
// exchanges: stdlib/public/Synchronization/Mutex/LinuxImpl.swift.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT_FUNCTION __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context))

// sanitizer/tsan_interface.h; absent from programs that are built without the sanitizer.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

typedef SWIFT_FUNCTION void (*lock_function)(uint32_t thread, SWIFT_SELF void *handle);
typedef SWIFT_FUNCTION void (*unlock_function)(SWIFT_SELF void *handle);

// Synchronization._MutexHandle._lockSlow(Swift.UInt32) -> ()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
// Synchronization._MutexHandle._unlockSlow() -> ()
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT_FUNCTION void lock_slow(uint32_t thread, SWIFT_SELF void *handle) __asm__(LOCK);
SWIFT_FUNCTION void unlock_slow(SWIFT_SELF void *handle) __asm__(UNLOCK);

SWIFT_FUNCTION void lock_slow(uint32_t thread, SWIFT_SELF void *handle) {
  static lock_function original;
  lock_function function = __atomic_load_n(&original, __ATOMIC_RELAXED);
  if (!function) {
    function = (lock_function)dlsym(RTLD_NEXT, LOCK);
    __atomic_store_n(&original, function, __ATOMIC_RELAXED);
  }
  function(thread, handle);
  if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT_FUNCTION void unlock_slow(SWIFT_SELF void *handle) {
  static unlock_function original;
  unlock_function function = __atomic_load_n(&original, __ATOMIC_RELAXED);
  if (!function) {
    function = (unlock_function)dlsym(RTLD_NEXT, UNLOCK);
    __atomic_store_n(&original, function, __ATOMIC_RELAXED);
  }
  if (__tsan_release) __tsan_release(handle);
  function(handle);
}
