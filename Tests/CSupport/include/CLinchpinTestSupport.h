// mutex.c has nothing to call: linking the target is what counts.
#ifndef CLINCHPIN_TEST_SUPPORT_H
#define CLINCHPIN_TEST_SUPPORT_H

#include <stddef.h>

/// How many bytes are allocated (mallinfo2(3), which glibc's Swift module leaves out); 0 under a sanitizer, whose
/// allocator is another.
size_t clinchpin_test_allocated_bytes(void);

#endif
