#pragma once
// Where the counting of instructions begins and ends, for a program that runs under callgrind; nothing where it does
// not, or where valgrind's headers were missing when this was compiled.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
// The request of its own that callgrind has for this would set one thread's counters back.
static inline void counting_begins(void) { VALGRIND_MONITOR_COMMAND("zero"); }
static inline void counting_ends(void) { CALLGRIND_DUMP_STATS; }
#else
static inline void counting_begins(void) {}
static inline void counting_ends(void) {}
#endif
