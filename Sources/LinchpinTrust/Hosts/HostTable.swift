internal import Synchronization

/// One immutable state of a manager's table: which evaluator judges which host.
///
/// A lookup takes one step for the host and at most two for each of its labels, however many entries there are.
struct HostTable: Sendable {
    /// A line of the table.
    struct Entry: Sendable {
        let pattern: HostPattern
        /// What its hosts are judged by; its `pattern` is as the caller wrote it.
        let policy: TrustPolicy
    }

    /// The entries that name one host.
    struct ExactEntries: Sendable {
        var anyPort: Entry?
        var byPort: [Int: Entry] = [:]
    }

    /// Tells this table from every other one of the process.
    let generation: Int
    let allHostsMustBeEvaluated: Bool
    private var exact: [ReferenceIdentity: ExactEntries] = [:]
    private(set) var oneLabelBelow: [Substring: Entry] = [:]
    private(set) var anyDepthBelow: [Substring: Entry] = [:]

    private static let generations = Atomic<Int>(0)

    /// - Throws: ``TrustError`` for a malformed pattern, for two spellings of one host, and for an evaluator that
    ///   could accept nothing.
    init(
        allHostsMustBeEvaluated: Bool,
        evaluators: [String: any ServerTrustEvaluating],
        clientIdentities: [String: ClientIdentity] = [:]
    ) throws(TrustError) {
        self.allHostsMustBeEvaluated = allHostsMustBeEvaluated
        generation = Self.generations.add(1, ordering: .relaxed).newValue
        // In order, so that of several mistakes the same one is told each time.
        for (number, line) in evaluators.sorted(by: { $0.key < $1.key }).enumerated() {
            let pattern = try HostPattern(line.key)
            do {
                try line.value.validateConfiguration()
            } catch {
                throw error.at("the entry \"\(line.key)\"")
            }
            let policy = TrustPolicy(
                evaluator: line.value,
                pattern: line.key,
                isExplicit: true,
                generation: generation,
                tag: "\(generation)/entry-\(number)"
            ).with(clientIdentity: clientIdentities[line.key], tlsSettings: nil)
            if let earlier = insert(Entry(pattern: pattern, policy: policy)) {
                throw TrustError(
                    .malformedHostPattern,
                    reason: "\"\(earlier.policy.pattern ?? "")\" and \"\(line.key)\" are the same host; keep one"
                )
            }
        }
    }

    /// Adds an entry and returns the one that was in its place.
    private mutating func insert(_ entry: Entry) -> Entry? {
        switch entry.pattern.hosts {
        case .exact(let identity):
            let host = identity.dialled
            guard let port = entry.pattern.port else {
                defer { exact[host, default: ExactEntries()].anyPort = entry }
                return exact[host]?.anyPort
            }
            return exact[host, default: ExactEntries()].byPort.updateValue(entry, forKey: port)
        case .oneLabelBelow(let parent): return oneLabelBelow.updateValue(entry, forKey: parent[...])
        case .anyDepthBelow(let parent): return anyDepthBelow.updateValue(entry, forKey: parent[...])
        }
    }

    /// The entries that name a host. An IPv4 address and the IPv6 address that maps it are one host here, so that no
    /// spelling of an address gets round its entry.
    func exactEntries(for identity: ReferenceIdentity) -> ExactEntries? { exact[identity.dialled] }

    /// The entry for a host: the one with the port, then the one without, then the longest wildcard.
    ///
    /// - Parameters:
    ///   - port: nil finds entries for every port only.
    func entry(for identity: ReferenceIdentity, port: Int?) -> Entry? {
        if let entries = exactEntries(for: identity) {
            if let port, let entry = entries.byPort[port] { return entry }
            if let entry = entries.anyPort { return entry }
        }
        var found: Entry?
        eachWildcard(for: identity) { entry in
            found = entry
            return false
        }
        return found
    }

    /// The pattern of an entry that names the host, with whatever port.
    func patternNaming(_ identity: ReferenceIdentity) -> String? {
        let anyPort = exactEntries(for: identity)?.byPort.min { $0.key < $1.key }?.value
        return (entry(for: identity, port: nil) ?? anyPort)?.policy.pattern
    }

    /// Calls `body` with the wildcards that match a host, the longest first, until it returns false.
    func eachWildcard(for identity: ReferenceIdentity, _ body: (Entry) -> Bool) {
        guard case .dns(let name) = identity, !(oneLabelBelow.isEmpty && anyDepthBelow.isEmpty) else { return }
        var parent = name[...]
        var removedLabels = 0
        while true {
            if removedLabels == 1, let entry = oneLabelBelow[parent], !body(entry) { return }
            if let entry = anyDepthBelow[parent], !body(entry) { return }
            guard let dot = parent.utf8.firstIndex(of: UInt8(ascii: ".")) else { return }
            parent = parent[parent.utf8.index(after: dot)...]
            removedLabels += 1
        }
    }
}
