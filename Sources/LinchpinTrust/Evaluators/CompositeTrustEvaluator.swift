/// Accepts a server that every one of several evaluators accepts, asked in order.
public final class CompositeTrustEvaluator: ServerTrustEvaluating {
    private let evaluators: [any ServerTrustEvaluating]

    /// Makes the evaluator. An empty list accepts nothing and is an error when a table is made of it.
    public init(evaluators: [any ServerTrustEvaluating]) { self.evaluators = evaluators }

    /// Whether any of the evaluators wants the host's name in the certificate.
    public var validatesHost: Bool { evaluators.isEmpty || evaluators.contains(where: \.validatesHost) }

    /// Returns when all of them do.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try validateConfiguration()
        for evaluator in evaluators { try evaluator.evaluate(trust, forHost: host) }
    }

    /// - Throws: ``TrustError`` with code `noEvaluatorsFound` for an empty list, or what one of them finds.
    public func validateConfiguration() throws(TrustError) {
        guard !evaluators.isEmpty else {
            throw TrustError(.noEvaluatorsFound, reason: "no evaluator was given; an empty list accepts nothing")
        }
        for evaluator in evaluators { try evaluator.validateConfiguration() }
    }
}

extension CompositeTrustEvaluator: CustomStringConvertible {
    /// What is checked, in words.
    public var description: String { "all of: " + evaluators.map(EvaluatorWords.of).joined(separator: "; ") }
}
