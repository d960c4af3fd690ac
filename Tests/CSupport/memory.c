#include "CLinchpinTestSupport.h"

#include <malloc.h>

size_t clinchpin_test_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}
