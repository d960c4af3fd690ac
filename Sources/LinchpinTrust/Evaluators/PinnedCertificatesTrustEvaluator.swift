/// Accepts a server whose validated chain holds one of the given certificates.
///
/// A pinned certificate is bound to one certificate: it must be replaced with every renewal. Pin keys
/// (``PublicKeyPinsTrustEvaluator``) to survive one.
public final class PinnedCertificatesTrustEvaluator: ServerTrustEvaluating {
    /// Whether the host's name has to be in the certificate.
    public let validatesHost: Bool
    private let certificates: [Certificate]
    private let performDefaultValidation: Bool
    private let roots: TrustRoots
    private let profile: ValidationProfile

    /// Makes the evaluator, with Alamofire's names and defaults.
    ///
    /// - Parameters:
    ///   - certificates: the pinned ones; an empty list accepts nothing and is an error when a table is made of it.
    ///   - acceptSelfSignedCertificates: whether the pinned certificates are the only trust anchors, instead of
    ///     `roots`; false by default. Dates and, with `validateHost`, the host are checked all the same.
    ///   - performDefaultValidation: whether a chain has to be valid, true by default. When false only the leaf
    ///     itself, or a chain whose signatures lead to a pinned certificate, is accepted, whatever its dates. What a
    ///     pinned authority may issue is read from the certificate that is given here, never from what a server sends.
    ///   - validateHost: whether the host's name has to be in the certificate, true by default.
    ///   - roots: where a chain may end, the system's roots by default.
    ///   - profile: how strictly a chain and its names are judged, as those of public authorities by default.
    public init(
        certificates: [Certificate],
        acceptSelfSignedCertificates: Bool = false,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        roots: TrustRoots = .system,
        profile: ValidationProfile = .webPKI
    ) {
        self.certificates = certificates
        self.performDefaultValidation = performDefaultValidation
        validatesHost = validateHost
        self.profile = profile
        self.roots = acceptSelfSignedCertificates ? .certificates(certificates) : roots
    }

    /// Returns when a pinned certificate is in the validated chain.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try validateConfiguration()
        let chain =
            try performDefaultValidation
            ? trust.validatedChain(roots: roots, profile: profile) : unvalidatedChain(trust)
        if validatesHost { try trust.validateHost(profile: profile) }
        let matches = chain.filter(certificates.contains)
        guard !matches.isEmpty else {
            throw TrustError(
                .pinMismatch,
                reason: performDefaultValidation
                    ? "no certificate of the validated chain is one of the \(certificates.count) pinned ones"
                    : "the server's certificate is none of the \(certificates.count) pinned ones, and none signed it"
            ).with(validatedChain: chain, expectedPins: certificates.map { "\($0.publicKeyPin) \($0.subject)" })
        }
        trust.findings.record(matches: matches.map { PinMatch(pin: $0.publicKeyPin, certificate: $0) })
    }

    /// - Throws: ``TrustError`` with code `noCertificatesFound` when the list is empty, or the roots are.
    public func validateConfiguration() throws(TrustError) {
        guard !certificates.isEmpty else {
            throw TrustError(
                .noCertificatesFound,
                reason: "no certificate to pin was given; an empty list accepts nothing"
            )
        }
        if performDefaultValidation { try roots.validateConfiguration() }
    }

    /// The leaf if it is pinned, or the chain of signatures to a pinned certificate; empty if there is neither.
    private func unvalidatedChain(_ trust: ServerTrust) -> [Certificate] {
        if certificates.contains(trust.leaf) { return [trust.leaf] }
        return (try? trust.signedChain(anchors: certificates)) ?? []
    }
}

extension PinnedCertificatesTrustEvaluator: CustomStringConvertible {
    /// What is checked, in words.
    public var description: String {
        "one of \(certificates.count) pinned certificates, \(EvaluatorWords.chain(performDefaultValidation)), "
            + EvaluatorWords.host(validatesHost)
    }
}
