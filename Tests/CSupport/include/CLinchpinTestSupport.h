// mutex.c has nothing to call: linking the target is what counts.
#ifndef CLINCHPIN_TEST_SUPPORT_H
#define CLINCHPIN_TEST_SUPPORT_H

/// malloc_trim(3), which glibc's Swift module leaves out: gives back what the allocator keeps for later.
void clinchpin_test_trim_memory(void);

#endif
