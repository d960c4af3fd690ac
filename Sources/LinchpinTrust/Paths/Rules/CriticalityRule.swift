internal import COpenSSL

/// Constraints on policies are critical (RFC 5280 §4.2.1.11, §4.2.1.14).
///
/// Extensions that must not be critical need no rule: OpenSSL refuses a critical one that it does not process, and key
/// identifiers and access methods are among those.
struct CriticalityRule: PathRule {
    private static let critical: [Int32: String] = [
        NID_policy_constraints: "policy constraints are not critical (RFC 5280 §4.2.1.11)",
        NID_inhibit_any_policy: "inhibition of anyPolicy is not critical (RFC 5280 §4.2.1.14)",
    ]

    func verdict(on path: CandidatePath) -> RuleVerdict {
        for link in path.formal {
            for found in link.extensions where !found.isCritical {
                if let fault = Self.critical[found.nid] { return link.refused("its \(fault)") }
            }
        }
        return .passed
    }
}
