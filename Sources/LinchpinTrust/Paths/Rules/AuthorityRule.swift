internal import COpenSSL

/// What says that a certificate belongs to an authority, the anchor's included (CA/B BR §7.1.2.1, §7.1.2.6).
struct AuthorityRule: PathRule {
    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.formal.dropFirst() {
            guard let constraints = link.found(NID_basic_constraints), link.isAuthority else {
                return link.refused("it is an authority without basic constraints that say so (RFC 5280 §4.2.1.9)")
            }
            guard constraints.isCritical else {
                return link.refused("its basic constraints are not critical (RFC 5280 §4.2.1.9)")
            }
            guard link.found(NID_subject_key_identifier) != nil else {
                return link.refused("it is an authority without a subject key identifier (RFC 5280 §4.2.1.2)")
            }
            // Roots that people make for themselves often have none: `openssl req -x509` writes none. An anchor may
            // sign because the caller says so (RFC 5280 §6.1.1(d)); what it does say has to agree.
            guard link.found(NID_key_usage) != nil || link.isAnchor else {
                return link.refused("it is an authority without a key usage (RFC 5280 §4.2.1.3)")
            }
            guard X509_get_key_usage(link.pointer) & UInt32(KU_KEY_CERT_SIGN) != 0 else {
                return link.refused("its key usage does not let it sign certificates (RFC 5280 §4.2.1.3)")
            }
        }
        return .passed
    }
}
