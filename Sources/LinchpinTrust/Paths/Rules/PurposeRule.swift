internal import COpenSSL

/// Extended key usages: serverAuth, wherever a certificate names purposes (RFC 5280 §4.2.1.12, CA/B BR §7.1.2).
///
/// OpenSSL looks for them too, but takes Netscape's and Microsoft's older purposes for serverAuth.
struct PurposeRule: PathRule {
    let profile: ValidationProfile

    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.links where link.found(NID_ext_key_usage) != nil {
            guard X509_get_extended_key_usage(link.pointer) & UInt32(XKU_SSL_SERVER) != 0 else {
                return link.refused("its extended key usages do not have serverAuth (RFC 5280 §4.2.1.12)")
            }
            if profile == .webPKI, path.anchor == .caller, link.isAnchor, link.isSelfIssued {
                return link.refused("it is a root with extended key usages (CA/B BR §7.1.2.1.2)")
            }
        }
        return .passed
    }
}
