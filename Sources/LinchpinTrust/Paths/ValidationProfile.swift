/// How strictly a chain and its names are judged, on top of OpenSSL's own verification.
///
/// OpenSSL 3.0 verifies signatures, purposes, path lengths, name constraints and key strength (security level 2). What
/// it leaves out is judged by the rules below. "BR" is the CA/Browser Forum's Baseline Requirements for TLS.
///
/// | Rule | Where | ``webPKI`` | ``privatePKI`` |
/// |---|---|---|---|
/// | notBefore and notAfter are inclusive, to the second | RFC 5280 §4.1.2.5 | yes | yes |
/// | RSA keys have 2,048 bits and an odd exponent above 1, EC keys a named curve; no DSA; the root's key too | RFC 5480 §2.1.1, BR §6.1.5, §6.1.6 | yes | yes |
/// | RSA moduli are multiples of 8 bits; the curve is P-256, P-384 or P-521 | BR §6.1.5 | yes | no |
/// | signatures are over SHA-256, SHA-384 or SHA-512, or EdDSA | BR §7.1.3.2 | yes | yes |
/// | no extension twice, none malformed, none below version 3 | RFC 5280 §4.1.2.1, §4.2 | yes | yes |
/// | version 3, one signature algorithm, named issuers | RFC 5280 §4.1, BR §7.1.1 | yes | no |
/// | serial numbers are positive, at most 20 octets; not the root's | RFC 5280 §4.1.2.2 | yes | no |
/// | constraints on policies are critical | RFC 5280 §4.2.1.11, §4.2.1.14 | yes | no |
/// | authorities have critical basic constraints, a key usage (but for an anchor) and a subject key identifier | RFC 5280 §4.2.1.2, §4.2.1.3, §4.2.1.9 | yes | no |
/// | authority key identifiers are there, and a root's is its own | RFC 5280 §4.2.1.1, BR §7.1.2.1.3 | yes | no |
/// | whoever names purposes names serverAuth | RFC 5280 §4.2.1.12 | yes | yes |
/// | a root names no purposes; the leaf does, not critical and not anyExtendedKeyUsage | BR §7.1.2.1.2, §7.1.2.7 | yes | no |
/// | the leaf is no authority's | BR §7.1.2.7.8 | yes | no |
/// | alternative names are critical only without a subject | RFC 5280 §4.2.1.6, BR §7.1.2.7.12 | yes | no |
/// | a common name that is a host agrees with the alternative names | BR §7.1.4.3 | yes | no |
/// | no alternative name is malformed | RFC 5280 §4.2.1.6, RFC 9525 §2 | yes | but for `_` and addresses as DNS names |
/// | wildcards are the whole left-most label | RFC 9525 §6.3 | yes | yes |
/// | no wildcard stands for the names of a registry, as far as libpsl is installed; the list's private section counts only below roots that the caller gave | BR §3.2.2.6 | yes | no |
/// | name constraints hold for every name that a wildcard stands for, and for malformed names | RFC 5280 §4.2.1.10 | yes | yes |
/// | name constraints are well formed, not empty, of an authority | RFC 5280 §4.2.1.10, BR §7.1.2.5.2 | yes | but for a point before a DNS name |
/// | policies are processed where a certificate constrains them | RFC 5280 §6.1 | yes | yes |
///
/// A certificate that is itself an anchor and the server's own is judged as in ``privatePKI``, and for its serial
/// number: the caller has chosen it (RFC 5280 §6.1.1(d)). So is the form of names in a certificate that issued itself.
///
/// The form of the system's own roots is not judged either, only their keys and extensions; that of roots that the caller
/// gives is.
///
/// Where OpenSSL's own path is refused, others are looked for (RFC 4158): within 128 certificates, 64 signatures and 10
/// intermediates.
public enum ValidationProfile: Sendable, Hashable {
    /// The rules of public authorities: RFC 5280 and the CA/Browser Forum's Baseline Requirements.
    case webPKI
    /// Only the rules that keep anybody from having a name that is not theirs, for authorities of one's own whose
    /// certificates are not in the form that public ones have.
    case privatePKI
}
