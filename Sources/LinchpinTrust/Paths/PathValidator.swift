internal import COpenSSL
internal import Foundation

/// Builds and verifies a chain for a TLS server (RFC 5280 §6): the one place that does.
///
/// OpenSSL builds and verifies; ``PathRules`` judge what it leaves out; ``PathSearch`` looks for another path where the
/// one that OpenSSL built is refused by either.
struct PathValidator {
    let leaf: Certificate
    /// What may stand between the leaf and an anchor; nothing in it is trusted.
    let pool: [Certificate]
    let date: Date

    /// What is wanted of a path.
    enum Demand {
        case profile(ValidationProfile)
        /// Whatever its dates: for evaluators that were told not to validate.
        case signatures

        fileprivate var rules: PathRules {
            switch self {
            case .profile(let profile): .of(profile)
            case .signatures: .undated
            }
        }
    }

    /// The chain from the leaf to an anchor, the anchor included.
    ///
    /// A chain up to a root is looked for first. Only where anchors are not roots may it end before one: at the first
    /// anchor, whatever is above that.
    func validatedChain(store: TrustStore, demand: Demand) throws(TrustError) -> [Certificate] {
        guard case .profile(let profile) = demand else { return try newChain(store, demand) }
        if let known = store.knownPaths.path(from: leaf, through: pool, profile: profile, at: date) { return known }
        let chain = try newChain(store, demand)
        store.knownPaths.keep(chain, from: leaf, through: pool, profile: profile)
        return chain
    }

    private func newChain(_ store: TrustStore, _ demand: Demand) throws(TrustError) -> [Certificate] {
        // What a path that was refused leaves in OpenSSL's queue would be taken for the connection's own failure.
        defer { OpenSSLError.clear() }
        var refusal: TrustError
        do {
            return try builtChain(store, demand, flags: 0)
        } catch {
            refusal = error
        }
        if store.hasPartialAnchors {
            do {
                return try builtChain(store, demand, flags: UInt(X509_V_FLAG_PARTIAL_CHAIN))
            } catch {
                refusal = error
            }
        }
        guard let chain = searchedChain(store, demand) else { throw refusal }
        return chain
    }

    /// The path that OpenSSL builds.
    private func builtChain(_ store: TrustStore, _ demand: Demand, flags: UInt) throws(TrustError) -> [Certificate] {
        // Above a leaf that is an anchor itself OpenSSL would go on to what the server sent.
        let isAlone = flags != 0 && store.isAnchor(leaf)
        let verification = PathVerification(leaf: leaf, date: checkedDate(demand))
        let chain = try verification.chain(from: isAlone ? [] : pool, to: store, flags: flags)
        try judge(chain, store, demand)
        return chain
    }

    /// Another path.
    private func searchedChain(_ store: TrustStore, _ demand: Demand) -> [Certificate]? {
        // The rules judge the dates: to the second, where OpenSSL refuses the last one.
        let verification = PathVerification(leaf: leaf, date: nil)
        var search = PathSearch(store: store, pool: pool, date: checkedDate(demand)) { path in
            do throws(TrustError) {
                let chain = try verification.chain(along: path, flags: 0)
                guard chain == path else { return nil }
                try judge(chain, store, demand)
                return chain
            } catch {
                return nil
            }
        }
        return search.chain(from: leaf)
    }

    private func judge(_ chain: [Certificate], _ store: TrustStore, _ demand: Demand) throws(TrustError) {
        let path = CandidatePath(chain, date: date, anchor: store.origin(ofChain: chain))
        if let refusal = demand.rules.refusal(of: path) { throw refusal }
        // OpenSSL processes policies only when asked (RFC 5280 §6.1.3 (d)).
        guard try PolicyDemand.isMade(by: chain) else { return }
        _ = try PathVerification(leaf: leaf, date: nil).chain(along: chain, flags: UInt(X509_V_FLAG_POLICY_CHECK))
    }

    private func checkedDate(_ demand: Demand) -> Date? {
        switch demand {
        case .profile: date
        case .signatures: nil
        }
    }
}
