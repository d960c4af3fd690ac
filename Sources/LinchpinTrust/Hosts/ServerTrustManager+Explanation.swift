extension ServerTrustManager {
    /// Says which entry applies to a host and why, without a connection.
    ///
    /// ```swift
    /// print(try manager.policy(for: "api.example.com", port: 8443))
    /// ```
    ///
    /// - Parameters:
    ///   - host: a DNS name or an address, in any spelling, without a port.
    ///   - port: the port; nil, the default, for any port that has no entry of its own.
    /// - Throws: ``TrustError`` with code `malformedHost`. A host that is refused is an explanation, not an error.
    public func policy(for host: String, port: Int? = nil) throws(TrustError) -> PolicyExplanation {
        let identity = try ReferenceIdentity(host: host)
        let table = table
        let winner = table.entry(for: identity, port: port)
        let judgement =
            type(of: self) == ServerTrustManager.self
            ? judgement(identity, port, table, winner) : chosenJudgement(identity, port, table, winner)
        return PolicyExplanation(
            host: identity.description,
            port: port,
            outcome: judgement.outcome,
            reason: judgement.reason,
            evaluator: judgement.evaluator,
            candidates: table.candidates(
                for: identity,
                port: port,
                winner: judgement.outcome == .entry ? winner : nil,
                otherwise: "does not count: \(type(of: self)) decides"
            ),
            refusesPlainHTTP: judgement.outcome != .system || table.patternNaming(identity) != nil
        )
    }

    private struct Judgement {
        let outcome: PolicyExplanation.Outcome
        let reason: String
        let evaluator: (any ServerTrustEvaluating)?
    }

    private func judgement(
        _ identity: ReferenceIdentity,
        _ port: Int?,
        _ table: HostTable,
        _ winner: HostTable.Entry?
    ) -> Judgement {
        if let winner {
            let reason = "the entry \"\(winner.policy.pattern ?? "")\" \(winner.pattern.words)"
            return Judgement(outcome: .entry, reason: reason, evaluator: winner.policy.evaluator)
        }
        guard !table.allHostsMustBeEvaluated else {
            let reason = Self.missingEvaluator(identity, port, table).reason
            return Judgement(outcome: .refused, reason: reason, evaluator: nil)
        }
        return Judgement(
            outcome: .system,
            reason: "no entry matches, and hosts without one are judged by the system's roots",
            evaluator: DefaultTrustEvaluator()
        )
    }

    /// What a subclass says; where that is the table's own evaluator, what the table says.
    private func chosenJudgement(
        _ identity: ReferenceIdentity,
        _ port: Int?,
        _ table: HostTable,
        _ winner: HostTable.Entry?
    ) -> Judgement {
        let (host, name) = (identity.description, "\(type(of: self))")
        let chosen: (any ServerTrustEvaluating)?
        do {
            chosen =
                try port.map { try serverTrustEvaluator(forHost: host, port: $0) }
                ?? serverTrustEvaluator(forHost: host)
        } catch {
            let reason = TrustError.wrapping(error, "\(name) threw \(error)").reason
            return Judgement(outcome: .refused, reason: reason, evaluator: nil)
        }
        guard let chosen else {
            guard !table.allHostsMustBeEvaluated else {
                let reason = "\(name) chose nobody, and all hosts must be evaluated"
                return Judgement(outcome: .refused, reason: reason, evaluator: nil)
            }
            return Judgement(
                outcome: .system,
                reason: "\(name) chose nobody, which leaves the host to the system's roots",
                evaluator: DefaultTrustEvaluator()
            )
        }
        if let own = winner?.policy.evaluator, type(of: own) is AnyClass, chosen as AnyObject === own as AnyObject {
            return judgement(identity, port, table, winner)
        }
        return Judgement(outcome: .subclass, reason: "\(name) chose who judges it", evaluator: chosen)
    }
}

extension HostTable {
    /// The entries that name the host, on whatever port, and the wildcards of the names above it.
    ///
    /// - Parameters:
    ///   - winner: the one that applies.
    ///   - otherwise: why one that matches does not, where none applies.
    func candidates(
        for identity: ReferenceIdentity,
        port: Int?,
        winner: Entry?,
        otherwise: String
    ) -> [PolicyExplanation.Candidate] {
        let named = exactEntries(for: identity)
        let ports = (named?.byPort ?? [:]).sorted { $0.key == port || ($1.key != port && $0.key < $1.key) }
        let exactEntries = ports.map(\.value) + [named?.anyPort].compactMap(\.self)
        let matching = exactEntries.map { ($0, $0.pattern.port == nil || $0.pattern.port == port) }
        return (matching + wildcardsAbove(identity)).map { entry, isMatch in
            let isApplied = winner?.pattern == entry.pattern
            let defeat = winner.map { "is less specific than \"\($0.policy.pattern ?? "")\"" } ?? otherwise
            return PolicyExplanation.Candidate(
                pattern: entry.policy.pattern ?? "",
                evaluator: EvaluatorWords.of(entry.policy.evaluator),
                isApplied: isApplied,
                reason: isApplied || !isMatch ? entry.pattern.words : defeat
            )
        }
    }

    /// The wildcards of the host's name and of those above it, and whether they match the host.
    private func wildcardsAbove(_ identity: ReferenceIdentity) -> [(Entry, Bool)] {
        guard case .dns(let name) = identity else { return [] }
        var found: [(Entry, Bool)] = []
        var parent = name[...]
        var removedLabels = 0
        while true {
            if let entry = oneLabelBelow[parent] { found.append((entry, removedLabels == 1)) }
            if let entry = anyDepthBelow[parent] { found.append((entry, true)) }
            guard let dot = parent.firstIndex(of: ".") else { return found }
            parent = parent[parent.index(after: dot)...]
            removedLabels += 1
        }
    }
}

extension HostPattern {
    /// What the pattern is for, as the end of a sentence about an entry.
    fileprivate var words: String {
        switch hosts {
        case .exact: port.map { "is for this host on port \($0)" } ?? "is for this host on every port"
        case .oneLabelBelow(let parent): "is for names of exactly one label more than \(parent)"
        case .anyDepthBelow(let parent): "is for \(parent) and every name below it"
        }
    }
}
