internal import COpenSSL

/// What a certificate says about the policies of the path below it (RFC 5280 §4.2.1.11).
struct PolicyDemand {
    /// Whether it has constraints on policies, or something that is none in their place.
    let hasConstraints: Bool
    /// Whether the path has to have a policy.
    let requiresPolicy: Bool
    /// Whether it names policies of its own.
    let namesPolicies: Bool

    init(of certificate: Certificate) {
        let pointer = certificate.handle.pointer
        hasConstraints = X509_get_ext_by_NID(pointer, NID_policy_constraints, -1) >= 0
        namesPolicies = X509_get_ext_by_NID(pointer, NID_certificate_policies, -1) >= 0
        guard hasConstraints else {
            requiresPolicy = false
            return
        }
        OpenSSLError.clear()
        defer { OpenSSLError.clear() }
        guard let raw = X509_get_ext_d2i(pointer, NID_policy_constraints, nil, nil) else {
            // Unreadable: taken for a demand, so that it is refused.
            requiresPolicy = true
            return
        }
        let constraints = raw.assumingMemoryBound(to: POLICY_CONSTRAINTS.self)
        defer { POLICY_CONSTRAINTS_free(constraints) }
        requiresPolicy = constraints.pointee.requireExplicitPolicy != nil
    }

    /// Whether OpenSSL has to process the path's policies; they can fail only where one is required.
    ///
    /// - Throws: ``TrustError`` with code `chainInvalid` for a certificate that constrains policies and names none,
    ///   where one is required: its path has none either (RFC 5280 §6.1.3 (e)). OpenSSL 3.0 would lose memory over it.
    static func isMade(by chain: [Certificate]) throws(TrustError) -> Bool {
        let demands = chain.map { PolicyDemand(of: $0) }
        guard demands.contains(where: \.requiresPolicy) else { return false }
        if let index = demands.firstIndex(where: { $0.hasConstraints && !$0.namesPolicies }) {
            throw TrustError(
                .chainInvalid,
                reason: "a policy is required and \(chain[index].subject), which constrains policies, names none"
            )
        }
        return true
    }
}
