internal import COpenSSL

/// RFC 5280 §4.2 and §4.1.2.9: each extension once, only in version 3, and in the form of its kind.
///
/// OpenSSL decodes those that it needs itself, and refuses critical ones that it does not know.
struct ExtensionRule: PathRule {
    /// Kinds that OpenSSL's verification does not look into.
    private static let undecoded: Set<Int32> = [
        NID_info_access, NID_sinfo_access, NID_crl_distribution_points, NID_freshest_crl, NID_certificate_policies,
        NID_policy_mappings, NID_policy_constraints, NID_inhibit_any_policy, NID_issuer_alt_name,
    ]

    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.links {
            guard link.flags & UInt32(EXFLAG_INVALID) == 0 else { return link.refused("an extension is malformed") }
            guard link.extensions.isEmpty || X509_get_version(link.pointer) == 2 else {
                return link.refused("it has extensions, but is not of version 3")
            }
            for (index, found) in link.extensions.enumerated() {
                if link.extensions[..<index].contains(where: found.isSameKind) {
                    return link.refused("an extension occurs twice")
                }
                if Self.undecoded.contains(found.nid), !found.isWellFormed {
                    return link.refused("an extension is malformed")
                }
            }
        }
        return .passed
    }
}
