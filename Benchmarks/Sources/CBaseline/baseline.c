#include "baseline.h"

#include <openssl/x509.h>
#include <openssl/x509_vfy.h>

static X509 *parsed(baseline_der der) { return d2i_X509(NULL, &der.bytes, der.length); }

void *baseline_store(baseline_der root) {
    X509_STORE *store = X509_STORE_new();
    X509 *certificate = parsed(root);
    X509_STORE_add_cert(store, certificate);
    X509_free(certificate);
    return store;
}

int baseline_verify(void *store, baseline_der leaf, baseline_der intermediate, const char *host) {
    X509 *certificates[] = {parsed(leaf), parsed(intermediate)};
    STACK_OF(X509) *pool = sk_X509_new_null();
    sk_X509_push(pool, certificates[1]);
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    X509_STORE_CTX_init(context, store, certificates[0], pool);
    X509_STORE_CTX_set_default(context, "ssl_server");
    X509_VERIFY_PARAM *parameters = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_auth_level(parameters, 2);
    X509_VERIFY_PARAM_set1_host(parameters, host, 0);
    int verified = X509_verify_cert(context);
    X509_STORE_CTX_free(context);
    sk_X509_pop_free(pool, X509_free);
    X509_free(certificates[0]);
    return verified;
}
