/// Which identity is shown to which host that asks for one.
///
/// Patterns are those of ``ServerTrustManager``, and the most specific one wins. A host without an entry is shown
/// nothing.
public struct ClientIdentities: Sendable {
    private let table: HostTable

    /// Makes a table.
    ///
    /// - Throws: ``TrustError`` with code `malformedHostPattern` for a malformed pattern, and for two spellings of one
    ///   host.
    public init(_ identities: [String: ClientIdentity]) throws(TrustError) {
        table = try HostTable(
            allHostsMustBeEvaluated: true,
            evaluators: identities.mapValues { Holder(identity: $0) }
        )
    }

    /// The identity for a host; nil for none.
    package func identity(for host: ReferenceIdentity, port: Int) -> ClientIdentity? {
        (table.entry(for: host, port: port)?.policy.evaluator as? Holder)?.identity
    }

    /// What the host table holds here in the place of an evaluator. It is never asked, and would refuse everything.
    private struct Holder: ServerTrustEvaluating {
        let identity: ClientIdentity

        func evaluate(_ trust: ServerTrust, forHost host: String) throws {
            throw TrustError(.evaluationUnavailable, reason: "an identity judges nobody")
        }
    }
}
