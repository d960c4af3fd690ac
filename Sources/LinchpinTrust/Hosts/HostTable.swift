internal import Synchronization

/// One immutable state of a manager's table: which evaluator judges which host.
struct HostTable: Sendable {
    /// A line of the table, with the pattern as the caller wrote it.
    struct Entry: Sendable {
        let pattern: String
        let evaluator: any ServerTrustEvaluating
        let number: Int
    }

    /// Tells this table from every other one of the process.
    let generation: Int
    let allHostsMustBeEvaluated: Bool
    private let exact: [ReferenceIdentity: Entry]
    private let wildcards: [String: Entry]

    private static let generations = Atomic<Int>(0)

    /// - Throws: ``TrustError`` for a malformed pattern, for two spellings of one host, and for an evaluator that
    ///   could accept nothing.
    init(
        allHostsMustBeEvaluated: Bool,
        evaluators: [String: any ServerTrustEvaluating]
    ) throws(TrustError) {
        var exact: [ReferenceIdentity: Entry] = [:]
        var wildcards: [String: Entry] = [:]
        for (number, line) in evaluators.sorted(by: { $0.key < $1.key }).enumerated() {
            let entry = Entry(pattern: line.key, evaluator: line.value, number: number)
            let pattern = try HostPattern(line.key)
            try line.value.validateConfiguration()
            let earlier: Entry?
            switch pattern {
            case .exact(let identity): earlier = exact.updateValue(entry, forKey: identity)
            case .wildcard(let parent): earlier = wildcards.updateValue(entry, forKey: parent)
            }
            if let earlier {
                throw TrustError(
                    .malformedHostPattern,
                    reason: "\"\(earlier.pattern)\" and \"\(entry.pattern)\" are the same host; keep one"
                )
            }
        }
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        self.exact = exact
        self.wildcards = wildcards
        generation = Self.generations.add(1, ordering: .relaxed).newValue
    }

    /// The entry for a host: the exact one before the wildcard.
    func entry(for identity: ReferenceIdentity) -> Entry? {
        if let entry = exact[identity] { return entry }
        guard case .dns(let name) = identity, let dot = name.firstIndex(of: ".") else { return nil }
        return wildcards[String(name[name.index(after: dot)...])]
    }
}
