#include "CFloor.h"

#include <openssl/pem.h>
#include <openssl/x509_vfy.h>
#include <string.h>
#include <time.h>

static STACK_OF(X509) *read_all(const char *pem) {
    BIO *bio = BIO_new_mem_buf(pem, (int)strlen(pem));
    STACK_OF(X509) *all = sk_X509_new_null();
    X509 *certificate;
    while ((certificate = PEM_read_bio_X509(bio, NULL, NULL, NULL)) != NULL)
        sk_X509_push(all, certificate);
    BIO_free(bio);
    return all;
}

double floor_verify(const char *roots_pem, const char *chain_pem, int rounds) {
    STACK_OF(X509) *roots = read_all(roots_pem);
    STACK_OF(X509) *chain = read_all(chain_pem);
    X509_STORE *store = X509_STORE_new();
    for (int i = 0; i < sk_X509_num(roots); i++)
        X509_STORE_add_cert(store, sk_X509_value(roots, i));
    struct timespec start, end;
    int failed = 0;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int i = 0; i < rounds; i++) {
        X509_STORE_CTX *context = X509_STORE_CTX_new();
        X509_STORE_CTX_init(context, store, sk_X509_value(chain, 0), chain);
        X509_STORE_CTX_set_default(context, "ssl_server");
        X509_VERIFY_PARAM_set_auth_level(X509_STORE_CTX_get0_param(context), 2);
        failed += X509_verify_cert(context) != 1;
        X509_STORE_CTX_free(context);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    X509_STORE_free(store);
    sk_X509_pop_free(roots, X509_free);
    sk_X509_pop_free(chain, X509_free);
    if (failed)
        return -1;
    return (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9;
}
