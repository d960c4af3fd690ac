#include "CLinchpin.h"

#include <dlfcn.h>
#include <pthread.h>

// libpsl's own declarations, so that its headers are not needed to build (libpsl.h, version 0.21).
typedef const void *(*psl_builtin_function)(void);
typedef int (*psl_is_public_suffix2_function)(const void *list, const char *domain, int type);
enum { PSL_TYPE_ICANN = 1, PSL_TYPE_ANY = 3, PSL_TYPE_NO_STAR_RULE = 4 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const void *list;
static psl_is_public_suffix2_function is_public_suffix;

// Never closed: the list is part of the library.
static void load(void) {
    void *library = dlopen("libpsl.so.5", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return;
    psl_builtin_function builtin = (psl_builtin_function)dlsym(library, "psl_builtin");
    is_public_suffix = (psl_is_public_suffix2_function)dlsym(library, "psl_is_public_suffix2");
    if (builtin != NULL && is_public_suffix != NULL)
        list = builtin();
}

int clinchpin_psl_is_icann_suffix(const char *domain) {
    pthread_once(&once, load);
    return list == NULL ? -1 : is_public_suffix(list, domain, PSL_TYPE_ICANN);
}

int clinchpin_psl_is_public_suffix(const char *domain) {
    pthread_once(&once, load);
    return list == NULL ? -1 : is_public_suffix(list, domain, PSL_TYPE_ANY | PSL_TYPE_NO_STAR_RULE);
}
