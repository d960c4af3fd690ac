#include "callgrind_marks.h"
