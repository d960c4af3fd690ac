// What Swift cannot call: variadic functions and macros. No policy lives here.
#ifndef CLINCHPIN_H
#define CLINCHPIN_H

#include <curl/curl.h>
#include <openssl/ct.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

// libcurl: one function per kind of variadic argument.
typedef size_t (*clinchpin_data_callback)(char *bytes, size_t size, size_t count, void *context);

CURLcode clinchpin_easy_setopt_long(CURL *handle, CURLoption option, long value);
CURLcode clinchpin_easy_setopt_off_t(CURL *handle, CURLoption option, curl_off_t value);
CURLcode clinchpin_easy_setopt_string(CURL *handle, CURLoption option, const char *value);
CURLcode clinchpin_easy_setopt_pointer(CURL *handle, CURLoption option, void *value);
CURLcode clinchpin_easy_setopt_slist(CURL *handle, CURLoption option, struct curl_slist *value);
CURLcode clinchpin_easy_setopt_blob_copy(CURL *handle, CURLoption option, const void *bytes, size_t length);
/// The bytes have to stay until the option is set anew or the handle is freed.
CURLcode clinchpin_easy_setopt_blob_borrowed(CURL *handle, CURLoption option, const void *bytes, size_t length);
CURLcode clinchpin_easy_setopt_data_callback(CURL *handle, CURLoption option, clinchpin_data_callback value);
CURLcode clinchpin_easy_setopt_ssl_ctx_callback(CURL *handle, curl_ssl_ctx_callback value);
CURLcode clinchpin_easy_setopt_prereq_callback(CURL *handle, curl_prereq_callback value);
CURLcode clinchpin_easy_setopt_seek_callback(CURL *handle, curl_seek_callback value);
CURLcode clinchpin_easy_setopt_closesocket_callback(CURL *handle, curl_closesocket_callback value);
CURLcode clinchpin_easy_getinfo_long(CURL *handle, CURLINFO info, long *value);
CURLcode clinchpin_easy_getinfo_off_t(CURL *handle, CURLINFO info, curl_off_t *value);
CURLcode clinchpin_easy_getinfo_string(CURL *handle, CURLINFO info, const char **value);
CURLcode clinchpin_easy_getinfo_socket(CURL *handle, CURLINFO info, curl_socket_t *value);
CURLcode clinchpin_easy_getinfo_pointer(CURL *handle, CURLINFO info, void **value);
CURLcode clinchpin_easy_getinfo_slist(CURL *handle, CURLINFO info, struct curl_slist **value);
/// The `SSL *` of the transfer's connection, or NULL where there is none or it is not OpenSSL's.
void *clinchpin_easy_openssl_connection(CURL *handle);
/// CURLMSG_DONE's easy handle and result; NULL where no message waits.
CURL *clinchpin_multi_next_done(CURLM *multi, CURLcode *result);
CURLMcode clinchpin_multi_setopt_long(CURLM *multi, CURLMoption option, long value);
CURLMcode clinchpin_multi_setopt_pointer(CURLM *multi, CURLMoption option, void *value);
CURLMcode clinchpin_multi_setopt_socket_callback(CURLM *multi, curl_socket_callback value);
CURLMcode clinchpin_multi_setopt_timer_callback(CURLM *multi, curl_multi_timer_callback value);
CURLSHcode clinchpin_share_setopt_share(CURLSH *share, curl_lock_data value);
CURLSHcode clinchpin_share_setopt_lock_callback(CURLSH *share, curl_lock_function value);
CURLSHcode clinchpin_share_setopt_unlock_callback(CURLSH *share, curl_unlock_function value);
CURLSHcode clinchpin_share_setopt_context(CURLSH *share, void *value);
long clinchpin_CURLAUTH_BASIC(void);
long clinchpin_CURLAUTH_DIGEST(void);

/// Names the calling thread (pthread_setname_np(3), which glibc's module leaves out).
int clinchpin_name_thread(const char *name);

// libpsl, where the system has it: opened at run time.
/// 1 for a public suffix of the list's ICANN section, such as `co.uk`; 0 for another name; -1 without libpsl.
int clinchpin_psl_is_icann_suffix(const char *domain);
/// 1 for a suffix of either section of the list, such as `co.uk` or `github.io`; 0 for another name; -1 without libpsl.
int clinchpin_psl_is_public_suffix(const char *domain);

// OpenSSL: macros and static inline functions.
int clinchpin_sk_X509_num(const STACK_OF(X509) *stack);
X509 *clinchpin_sk_X509_value(const STACK_OF(X509) *stack, int index);
STACK_OF(X509) *clinchpin_sk_X509_new(void);
/// Takes its own reference to the certificate; 0 on failure.
int clinchpin_sk_X509_push_up_ref(STACK_OF(X509) *stack, X509 *certificate);
/// Frees the stack and drops the references that it holds.
void clinchpin_sk_X509_pop_free(STACK_OF(X509) *stack);
int clinchpin_sk_X509_OBJECT_num(const STACK_OF(X509_OBJECT) *stack);
X509_OBJECT *clinchpin_sk_X509_OBJECT_value(const STACK_OF(X509_OBJECT) *stack, int index);
int clinchpin_sk_GENERAL_NAME_num(const GENERAL_NAMES *names);
GENERAL_NAME *clinchpin_sk_GENERAL_NAME_value(const GENERAL_NAMES *names, int index);
int clinchpin_general_name_type(const GENERAL_NAME *name);
/// The string of an rfc822, DNS, URI or IP name; NULL for the other kinds.
const ASN1_STRING *clinchpin_general_name_string(const GENERAL_NAME *name);
int clinchpin_sk_GENERAL_SUBTREE_num(const STACK_OF(GENERAL_SUBTREE) *subtrees);
GENERAL_SUBTREE *clinchpin_sk_GENERAL_SUBTREE_value(const STACK_OF(GENERAL_SUBTREE) *subtrees, int index);
/// The second integer of an RSAPublicKey (RFC 8017 A.1.1), for the caller to free; NULL where there is none.
ASN1_INTEGER *clinchpin_rsa_exponent(const unsigned char *key, long length);
/// 1 when the extension's value is what its kind wants, 0 when it is not, -1 for a kind that OpenSSL does not decode.
int clinchpin_X509V3_EXT_decodes(X509_EXTENSION *extension);
/// XN_FLAG_RFC2253 without the escaping of bytes above 0x7F.
unsigned long clinchpin_name_flags_rfc2253_utf8(void);
int clinchpin_SSL_CTX_new_ex_data_index(CRYPTO_EX_free *release);
int clinchpin_SSL_new_ex_data_index(CRYPTO_EX_free *release);
/// The names of a distribution point that is for every reason and whose CRL is the certificate's own issuer's
/// (RFC 5280 §4.2.1.13); NULL for another one.
const GENERAL_NAMES *clinchpin_distribution_point_names(const DIST_POINT *point);
/// Asks servers for an OCSP response (RFC 6066 §8), and has `judge` called at the end of the server's first flight.
int clinchpin_SSL_CTX_request_status(SSL_CTX *context, int (*judge)(SSL *connection, void *argument), void *argument);
/// A store of the logs of a configuration's text, for the caller to free; NULL where one of them cannot be used.
CTLOG_STORE *clinchpin_CTLOG_STORE_of_text(const char *text, size_t length);
/// The stapled OCSP response, which the connection keeps; -1 where there is none.
long clinchpin_SSL_stapled_response(SSL *connection, const unsigned char **response);

// The test kit: macros around certificates that are made and TLS servers.
/// Takes over the name; 0 on failure.
int clinchpin_sk_GENERAL_NAME_push(GENERAL_NAMES *names, GENERAL_NAME *name);
long clinchpin_SSL_CTX_set_min_proto_version(SSL_CTX *context, int version);
long clinchpin_SSL_CTX_set_max_proto_version(SSL_CTX *context, int version);
long clinchpin_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode);
long clinchpin_SSL_CTX_set_mode(SSL_CTX *context, long mode);
uint64_t clinchpin_SSL_OP_NO_TICKET(void);
// The test kit: of Linux, not in Swift's Glibc module.
/// eventfd(2), close-on-exec and non-blocking.
int clinchpin_testing_eventfd(void);
/// accept4(2), close-on-exec and non-blocking.
int clinchpin_testing_accept(int listener);
/// pthread_setname_np(3) for the calling thread; at most 15 characters.
int clinchpin_testing_name_thread(const char *name);
int clinchpin_testing_POLLRDHUP(void);

#endif
