/// How TLS is spoken with which host.
///
/// Patterns are those of ``ServerTrustManager``, and the most specific one wins.
public struct HostTLSSettings: Sendable {
    private let table: HostTable

    /// Makes a table.
    ///
    /// - Throws: ``TrustError`` with code `malformedHostPattern` for a malformed pattern, and for two spellings of one
    ///   host.
    public init(_ settings: [String: TLSSettings]) throws(TrustError) {
        table = try HostTable(
            allHostsMustBeEvaluated: true,
            evaluators: settings.mapValues { Holder(settings: $0) }
        )
    }

    /// The settings for a host; nil for none of its own.
    package func settings(for host: ReferenceIdentity, port: Int) -> TLSSettings? {
        (table.entry(for: host, port: port)?.policy.evaluator as? Holder)?.settings
    }

    /// What the host table holds here in the place of an evaluator. It is never asked, and would refuse everything.
    private struct Holder: ServerTrustEvaluating {
        let settings: TLSSettings

        func evaluate(_ trust: ServerTrust, forHost host: String) throws {
            throw TrustError(.evaluationUnavailable, reason: "settings judge nobody")
        }
    }
}
