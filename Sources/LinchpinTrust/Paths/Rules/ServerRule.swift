internal import COpenSSL

/// The form of a certificate for a server (CA/B BR §7.1.2.7).
struct ServerRule: PathRule {
    func verdict(on path: CandidatePath) -> RuleVerdict {
        guard let leaf = path.issuedLeaf else { return .passed }
        guard !leaf.isAuthority else {
            return leaf.refused("it is an authority's, not a server's (CA/B BR §7.1.2.7.8)")
        }
        guard X509_get_pathlen(leaf.pointer) < 0 else {
            return leaf.refused("it limits a path, but is no authority's (RFC 5280 §4.2.1.9)")
        }
        if leaf.found(NID_key_usage) != nil, X509_get_key_usage(leaf.pointer) & UInt32(KU_KEY_CERT_SIGN) != 0 {
            return leaf.refused("it may sign certificates, but is no authority's (RFC 5280 §4.2.1.3)")
        }
        guard let purposes = leaf.found(NID_ext_key_usage) else {
            return leaf.refused("it has no extended key usage (CA/B BR §7.1.2.7.6)")
        }
        guard !purposes.isCritical else {
            return leaf.refused("its extended key usages are critical (CA/B BR §7.1.2.7.6)")
        }
        guard X509_get_extended_key_usage(leaf.pointer) & UInt32(XKU_ANYEKU) == 0 else {
            return leaf.refused("its extended key usages have anyExtendedKeyUsage (CA/B BR §7.1.2.7.10)")
        }
        return .passed
    }
}
