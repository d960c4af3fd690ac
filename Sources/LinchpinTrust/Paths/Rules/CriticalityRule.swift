internal import COpenSSL

/// Extensions that RFC 5280 wants to be critical, or not to be.
struct CriticalityRule: PathRule {
    private static let required: [Int32: (isCritical: Bool, name: String)] = [
        NID_authority_key_identifier: (false, "authority key identifier (RFC 5280 §4.2.1.1)"),
        NID_subject_key_identifier: (false, "subject key identifier (RFC 5280 §4.2.1.2)"),
        NID_subject_directory_attributes: (false, "subject directory attributes (RFC 5280 §4.2.1.8)"),
        NID_freshest_crl: (false, "freshest CRL (RFC 5280 §4.2.1.15)"),
        NID_info_access: (false, "authority information access (RFC 5280 §4.2.2.1)"),
        NID_sinfo_access: (false, "subject information access (RFC 5280 §4.2.2.2)"),
        NID_policy_constraints: (true, "policy constraints (RFC 5280 §4.2.1.11)"),
        NID_inhibit_any_policy: (true, "inhibit anyPolicy (RFC 5280 §4.2.1.14)"),
    ]

    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.formal {
            for found in link.extensions {
                guard let rule = Self.required[found.nid], rule.isCritical != found.isCritical else { continue }
                return link.refused("its \(rule.name) is \(found.isCritical ? "critical" : "not critical")")
            }
        }
        return .passed
    }
}
