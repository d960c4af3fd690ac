/// What one connection to one host is judged by.
package struct TrustPolicy: Sendable {
    package let evaluator: any ServerTrustEvaluating
    /// The pattern that matched; nil where no entry did and the system's roots judge.
    package let pattern: String?
    /// Whether the host was given an evaluator, by an entry or by a subclass's choice.
    package let isExplicit: Bool
    /// The table that this came from.
    package let generation: Int
    /// Connections and TLS sessions are shared only under equal tags.
    package private(set) var tag: String
    /// What is shown to the server if it asks; nil for nothing.
    package private(set) var clientIdentity: ClientIdentity?
    /// How TLS is spoken; nil for OpenSSL's own settings.
    package private(set) var tlsSettings: TLSSettings?
    /// The port that is spoken to; nil off-line.
    package var port: Int?
    /// Where no entry matched: one that names the host with another port.
    package var patternNamingHost: String?
    /// Who is told of each decision.
    var observers: DecisionObservers?

    package init(evaluator: any ServerTrustEvaluating, pattern: String?, isExplicit: Bool, generation: Int, tag: String)
    {
        self.evaluator = evaluator
        self.pattern = pattern
        self.isExplicit = isExplicit
        self.generation = generation
        self.tag = tag
    }

    /// The same judgement, for connections that show an identity and speak TLS as the settings say: they are shared with
    /// no others.
    package func with(clientIdentity: ClientIdentity?, tlsSettings: TLSSettings?) -> TrustPolicy {
        var policy = self
        policy.clientIdentity = clientIdentity
        policy.tlsSettings = tlsSettings
        if let clientIdentity { policy.tag += "/identity-\(clientIdentity.tag)" }
        if let tlsSettings { policy.tag += "/tls-\(tlsSettings.tag)" }
        return policy
    }

    /// Whether the host may not be spoken to over plain HTTP: on whatever port, somebody cares who it is.
    package var refusesCleartext: Bool { isExplicit || patternNamingHost != nil }

    /// The refusal of plain HTTP to a host that this policy is for.
    package func cleartextRefusal(_ identity: ReferenceIdentity) -> TrustError {
        TrustError(
            .cleartextRefused,
            reason: "the host has a trust policy, which plain http cannot keep; use https"
        ).about(host: identity.description, pattern: pattern ?? patternNamingHost)
    }

    /// The system's roots and the host's name, for a host that no entry of a table matches.
    package static func system(generation: Int = 0) -> TrustPolicy {
        TrustPolicy(
            evaluator: DefaultTrustEvaluator(),
            pattern: nil,
            isExplicit: false,
            generation: generation,
            tag: "\(generation)/system"
        )
    }
}
