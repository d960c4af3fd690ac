/// The usual judgement: a valid chain to a trusted root, and the host's name in the certificate.
public final class DefaultTrustEvaluator: ServerTrustEvaluating {
    /// Whether the host's name has to be in the certificate.
    public let validatesHost: Bool
    private let roots: TrustRoots
    private let profile: ValidationProfile

    /// Makes the evaluator.
    ///
    /// - Parameters:
    ///   - validateHost: whether the host's name has to be in the certificate, true by default.
    ///   - roots: where a chain may end, the system's roots by default.
    ///   - profile: how strictly a chain and its names are judged, as those of public authorities by default.
    public init(validateHost: Bool = true, roots: TrustRoots = .system, profile: ValidationProfile = .webPKI) {
        validatesHost = validateHost
        self.roots = roots
        self.profile = profile
    }

    /// Returns for a valid chain whose leaf names the host.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try trust.validatedChain(roots: roots, profile: profile)
        if validatesHost { try trust.validateHost(profile: profile) }
    }

    /// - Throws: ``TrustError`` with code `noCertificatesFound` when the roots are an empty list.
    public func validateConfiguration() throws(TrustError) { try roots.validateConfiguration() }
}
