#define _GNU_SOURCE
#include "CLinchpin.h"
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

int clinchpin_sk_X509_num(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }

X509 *clinchpin_sk_X509_value(const STACK_OF(X509) *stack, int index) { return sk_X509_value(stack, index); }

STACK_OF(X509) *clinchpin_sk_X509_new(void) { return sk_X509_new_null(); }

int clinchpin_sk_X509_push_up_ref(STACK_OF(X509) *stack, X509 *certificate) {
    return X509_add_cert(stack, certificate, X509_ADD_FLAG_UP_REF);
}

void clinchpin_sk_X509_pop_free(STACK_OF(X509) *stack) { sk_X509_pop_free(stack, X509_free); }

int clinchpin_sk_X509_OBJECT_num(const STACK_OF(X509_OBJECT) *stack) { return sk_X509_OBJECT_num(stack); }

X509_OBJECT *clinchpin_sk_X509_OBJECT_value(const STACK_OF(X509_OBJECT) *stack, int index) {
    return sk_X509_OBJECT_value(stack, index);
}

int clinchpin_sk_GENERAL_NAME_num(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

GENERAL_NAME *clinchpin_sk_GENERAL_NAME_value(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index);
}

int clinchpin_general_name_type(const GENERAL_NAME *name) { return name->type; }

const ASN1_STRING *clinchpin_general_name_string(const GENERAL_NAME *name) {
    switch (name->type) {
    case GEN_EMAIL:
        return name->d.rfc822Name;
    case GEN_DNS:
        return name->d.dNSName;
    case GEN_URI:
        return name->d.uniformResourceIdentifier;
    case GEN_IPADD:
        return name->d.iPAddress;
    default:
        return NULL;
    }
}

int clinchpin_sk_GENERAL_SUBTREE_num(const STACK_OF(GENERAL_SUBTREE) *subtrees) {
    return sk_GENERAL_SUBTREE_num(subtrees);
}

GENERAL_SUBTREE *clinchpin_sk_GENERAL_SUBTREE_value(const STACK_OF(GENERAL_SUBTREE) *subtrees, int index) {
    return sk_GENERAL_SUBTREE_value(subtrees, index);
}

int clinchpin_X509V3_EXT_decodes(X509_EXTENSION *extension) {
    const X509V3_EXT_METHOD *method = X509V3_EXT_get(extension);
    if (method == NULL || method->it == NULL)
        return -1;
    void *value = X509V3_EXT_d2i(extension);
    if (value == NULL)
        return 0;
    ASN1_item_free(value, ASN1_ITEM_ptr(method->it));
    return 1;
}

ASN1_INTEGER *clinchpin_rsa_exponent(const unsigned char *key, long length) {
    ASN1_SEQUENCE_ANY *parts = d2i_ASN1_SEQUENCE_ANY(NULL, &key, length);
    ASN1_TYPE *second = parts == NULL ? NULL : sk_ASN1_TYPE_value(parts, 1);
    ASN1_INTEGER *exponent = NULL;
    if (second != NULL && ASN1_TYPE_get(second) == V_ASN1_INTEGER)
        exponent = ASN1_INTEGER_dup(second->value.integer);
    sk_ASN1_TYPE_pop_free(parts, ASN1_TYPE_free);
    return exponent;
}

unsigned long clinchpin_name_flags_rfc2253_utf8(void) { return XN_FLAG_RFC2253 & ~ASN1_STRFLGS_ESC_MSB; }

int clinchpin_SSL_CTX_new_ex_data_index(CRYPTO_EX_free *release) {
    return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, release);
}

int clinchpin_SSL_new_ex_data_index(CRYPTO_EX_free *release) {
    return SSL_get_ex_new_index(0, NULL, NULL, NULL, release);
}

const GENERAL_NAMES *clinchpin_distribution_point_names(const DIST_POINT *point) {
    if (point->distpoint == NULL || point->distpoint->type != 0 || point->reasons != NULL || point->CRLissuer != NULL)
        return NULL;
    return point->distpoint->name.fullname;
}

int clinchpin_SSL_CTX_request_status(SSL_CTX *context, int (*judge)(SSL *connection, void *argument), void *argument) {
    return SSL_CTX_set_tlsext_status_cb(context, judge) == 1 && SSL_CTX_set_tlsext_status_arg(context, argument) == 1
           && SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp) == 1;
}

long clinchpin_SSL_stapled_response(SSL *connection, const unsigned char **response) {
    return SSL_get_tlsext_status_ocsp_resp(connection, response);
}

// OpenSSL reads logs from a file alone: this one is in memory and has no name.
CTLOG_STORE *clinchpin_CTLOG_STORE_of_text(const char *text, size_t length) {
    int descriptor = memfd_create("linchpin-logs", MFD_CLOEXEC);
    if (descriptor < 0)
        return NULL;
    CTLOG_STORE *store = NULL;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (write(descriptor, text, length) == (ssize_t)length)
        store = CTLOG_STORE_new();
    if (store != NULL && CTLOG_STORE_load_file(store, path) != 1) {
        CTLOG_STORE_free(store);
        store = NULL;
    }
    close(descriptor);
    return store;
}
