/// What evaluators check, in words: for ``PolicyExplanation``.
enum EvaluatorWords {
    static let anything = "nothing: any server is accepted"

    /// The evaluator's own words, or its type for one that has none.
    static func of(_ evaluator: any ServerTrustEvaluating) -> String {
        (evaluator as? any CustomStringConvertible)?.description ?? "\(type(of: evaluator))"
    }

    static func host(_ isValidated: Bool) -> String { isValidated ? "the host's name" : "any name" }
    static func chain(_ isValidated: Bool) -> String { isValidated ? "a valid chain" : "signatures only" }
}

extension DefaultTrustEvaluator: CustomStringConvertible {
    /// What is checked, in words.
    public var description: String { "\(EvaluatorWords.chain(true)), \(EvaluatorWords.host(validatesHost))" }
}

extension DisabledTrustEvaluator: CustomStringConvertible {
    /// What is checked, in words.
    public var description: String { EvaluatorWords.anything }
}
