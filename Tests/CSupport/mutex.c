// Tells the thread sanitizer of Swift's Mutex.
//
// A Mutex that is free is taken by code in the caller's module, which the sanitizer sees. One that is held is waited
// for in libswiftSynchronization, which was built without it: what the earlier holder wrote then looks like a race.
// The functions below stand before the library's own ones of the same names, and say what these do.
#include "CLinchpinTestSupport.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#include <stdint.h>

// _MutexHandle._lockSlow(_: UInt32) and _MutexHandle._unlockSlow(), mangled.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT_METHOD __attribute__((swiftcall))
#define SWIFT_SELF __attribute__((swift_context)) void *self

typedef SWIFT_METHOD void lock_slow(uint32_t thread, SWIFT_SELF);
typedef SWIFT_METHOD void unlock_slow(SWIFT_SELF);

lock_slow clinchpin_test_lock_slow __asm__(LOCK);
unlock_slow clinchpin_test_unlock_slow __asm__(UNLOCK);

SWIFT_METHOD void clinchpin_test_lock_slow(uint32_t thread, SWIFT_SELF) {
    lock_slow *library = (lock_slow *)dlsym(RTLD_NEXT, LOCK);
    library(thread, self);
    __tsan_acquire(self);
}

SWIFT_METHOD void clinchpin_test_unlock_slow(SWIFT_SELF) {
    unlock_slow *library = (unlock_slow *)dlsym(RTLD_NEXT, UNLOCK);
    __tsan_release(self);
    library(self);
}

#endif
#endif
