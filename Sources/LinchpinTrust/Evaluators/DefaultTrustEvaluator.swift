/// The usual judgement: a valid chain to a trusted root, and the host's name in the certificate.
public final class DefaultTrustEvaluator: ServerTrustEvaluating {
    /// Whether the host's name has to be in the certificate.
    public let validatesHost: Bool
    private let roots: TrustRoots

    /// Makes the evaluator.
    ///
    /// - Parameters:
    ///   - validateHost: whether the host's name has to be in the certificate, true by default.
    ///   - roots: where a chain may end, the system's roots by default.
    public init(validateHost: Bool = true, roots: TrustRoots = .system) {
        validatesHost = validateHost
        self.roots = roots
    }

    /// Returns for a valid chain whose leaf names the host.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try trust.validatedChain(roots: roots)
        if validatesHost { try trust.validateHost() }
    }

    /// - Throws: ``TrustError`` with code `noCertificatesFound` when the roots are an empty list.
    public func validateConfiguration() throws(TrustError) { try roots.validateConfiguration() }
}
