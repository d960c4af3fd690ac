/// Who judges a host, and why it is this one.
public struct PolicyExplanation: Sendable {
    /// What becomes of the host.
    public enum Outcome: String, Sendable {
        /// The evaluator of an entry judges it.
        case entry
        /// No entry matches; the system's roots and the host's name judge it.
        case system
        /// A subclass of ``ServerTrustManager`` chose who judges it.
        case subclass
        /// It is not spoken to.
        case refused
    }

    /// An entry of the table that is about the host, or nearly.
    public struct Candidate: Sendable {
        /// The pattern as it was written.
        public let pattern: String
        /// What its evaluator checks, in words.
        public let evaluator: String
        /// Whether it applies.
        public let isApplied: Bool
        /// Why it applies, or why it does not.
        public let reason: String
    }

    /// The host in its canonical form.
    public let host: String
    /// The port that was asked for; nil for any that has no entry of its own.
    public let port: Int?
    /// What becomes of it.
    public let outcome: Outcome
    /// Why.
    public let reason: String
    /// Who judges it; nil where it is refused.
    public let evaluator: (any ServerTrustEvaluating)?
    /// The entries that name the host, with this port or another, or a name above it; the most specific first.
    public let candidates: [Candidate]
    /// Whether the host is refused over plain HTTP.
    public let refusesPlainHTTP: Bool

    /// The pattern of the entry that applies; nil where none does.
    public var pattern: String? { candidates.first(where: \.isApplied)?.pattern }
}

extension PolicyExplanation: CustomStringConvertible {
    /// A few lines for people.
    public var description: String {
        let server = port.map { host.contains(":") ? "[\(host)]:\($0)" : "\(host):\($0)" } ?? host
        var lines = ["\(server): \(reason)"]
        if let evaluator { lines.append("  checked: \(EvaluatorWords.of(evaluator))") }
        lines.append("  plain http: \(refusesPlainHTTP ? "refused" : "allowed")")
        let others = candidates.filter { !$0.isApplied }
        if !others.isEmpty { lines.append("  other entries:") }
        lines += others.map { "    \"\($0.pattern)\" \($0.reason)" }
        return lines.joined(separator: "\n")
    }
}
