#define _GNU_SOURCE
#include "CLinchpin.h"
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

int clinchpin_sk_GENERAL_NAME_push(GENERAL_NAMES *names, GENERAL_NAME *name) {
    return sk_GENERAL_NAME_push(names, name);
}

long clinchpin_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_min_proto_version(context, version);
}

long clinchpin_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version) {
    return SSL_CTX_set_max_proto_version(context, version);
}

long clinchpin_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}

long clinchpin_SSL_CTX_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }

uint64_t clinchpin_SSL_OP_NO_TICKET(void) { return SSL_OP_NO_TICKET; }

int clinchpin_testing_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinchpin_testing_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int clinchpin_testing_name_thread(const char *name) { return pthread_setname_np(pthread_self(), name); }

int clinchpin_testing_POLLRDHUP(void) { return POLLRDHUP; }
