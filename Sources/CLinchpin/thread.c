#define _GNU_SOURCE
#include <pthread.h>

#include "CLinchpin.h"

int clinchpin_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }
