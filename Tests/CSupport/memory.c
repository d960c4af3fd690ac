#include "CLinchpinTestSupport.h"

#include <malloc.h>

void clinchpin_test_trim_memory(void) { malloc_trim(0); }
