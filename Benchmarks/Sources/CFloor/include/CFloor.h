#ifndef CFLOOR_H
#define CFLOOR_H

/// What OpenSSL alone needs: seconds for `rounds` verifications of a chain, or a negative number when one failed.
///
/// `roots` and `chain` are PEM texts, the leaf first.
double floor_verify(const char *roots, const char *chain, int rounds);

#endif
