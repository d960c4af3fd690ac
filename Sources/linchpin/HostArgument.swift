internal import LinchpinTrust

/// A host that somebody asks about, with or without a port.
struct HostArgument {
    let identity: ReferenceIdentity
    let port: Int?

    /// Reads `HOST[:PORT]`.
    ///
    /// - Throws: ``TrustError`` with code `malformedHostPattern`, or `malformedHost` for a pattern of several hosts.
    init(_ text: String) throws(TrustError) {
        let pattern = try HostPattern(text)
        guard case .exact(let identity) = pattern.hosts else {
            throw TrustError(.malformedHost, reason: "\"\(text)\" is a pattern where a host is wanted")
        }
        self.identity = identity
        port = pattern.port
    }
}
