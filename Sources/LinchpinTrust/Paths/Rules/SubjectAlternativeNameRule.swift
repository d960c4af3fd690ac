internal import COpenSSL

/// The extension that holds a server's names is critical where there is no subject, and only there (RFC 5280 §4.2.1.6,
/// CA/B BR §7.1.2.7.12). The names themselves are ``LeafNames``' to judge, with the host.
struct SubjectAlternativeNameRule: PathRule {
    func verdict(on path: CandidatePath) -> RuleVerdict {
        guard let leaf = path.issuedLeaf, let found = leaf.found(NID_subject_alt_name) else { return .passed }
        let isNameless = X509_NAME_entry_count(X509_get_subject_name(leaf.pointer)) <= 0
        guard found.isCritical != isNameless else { return .passed }
        return leaf.refused(
            found.isCritical
                ? "its alternative names are critical beside a subject (CA/B BR §7.1.2.7.12)"
                : "it has no subject, and its alternative names are not critical (RFC 5280 §4.2.1.6)"
        )
    }
}
