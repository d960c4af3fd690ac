#include <stddef.h>

typedef struct {
    const unsigned char *bytes;
    long length;
} baseline_der;

/// A store with one root, for `baseline_verify`.
void *baseline_store(baseline_der root);
/// Parses a leaf and its intermediate and verifies them for a TLS server and a host; 1 when they are valid.
int baseline_verify(void *store, baseline_der leaf, baseline_der intermediate, const char *host);
