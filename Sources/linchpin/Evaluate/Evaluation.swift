internal import Foundation
internal import LinchpinTrust

/// One question: is this chain trusted for this host at this time?
struct Evaluation {
    let policy: TrustPolicy
    let chain: [Certificate]
    let host: ReferenceIdentity
    let date: Date

    /// Why the chain is refused; nil when it is trusted.
    ///
    /// This is the judgement of a handshake: the same object, evaluator and rules.
    func refusal() -> TrustError? {
        let date = date
        let judge = HandshakeJudge(identity: host, policy: policy) { date }
        do {
            _ = try judge.evaluate(presentedChain: chain)
            return nil
        } catch {
            return error
        }
    }

    /// The policy of somebody who has no table, only roots.
    static func policy(roots: [Certificate], profile: ValidationProfile) -> TrustPolicy {
        let evaluator = DefaultTrustEvaluator(roots: .certificates(roots), profile: profile)
        return TrustPolicy(evaluator: evaluator, pattern: nil, isExplicit: true, generation: 0, tag: "evaluate")
    }

    /// Reads a host; one that is not ASCII is refused here, since certificates hold A-labels (RFC 5280 §7.2).
    ///
    /// - Throws: ``TrustError`` with code `malformedHost`.
    static func host(_ text: String) throws(TrustError) -> ReferenceIdentity {
        try refuseOtherThanASCII(text)
        return try ReferenceIdentity(host: text)
    }

    /// - Throws: ``TrustError`` with code `malformedHost`.
    static func refuseOtherThanASCII(_ text: String) throws(TrustError) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw TrustError(.malformedHost, reason: "the host is not ASCII; give its A-label form (xn--…)")
        }
    }
}
