/// Accepts a server whose validated chain holds one of the given public keys.
public final class PublicKeysTrustEvaluator: ServerTrustEvaluating {
    /// Whether the host's name has to be in the certificate.
    public let validatesHost: Bool
    private let pins: PinnedKeys

    /// Makes the evaluator, with Alamofire's names and defaults.
    ///
    /// - Parameters:
    ///   - keys: the pinned keys; an empty list accepts nothing and is an error when a table is made of it.
    ///   - performDefaultValidation: whether a chain has to be valid, true by default. When false the leaf's own key is
    ///     enough, whatever its issuer and dates. The key of an authority counts in a chain whose signatures lead to
    ///     one of `roots`, whatever its dates: in any other, what the key may issue is the server's own claim.
    ///   - validateHost: whether the host's name has to be in the certificate, true by default.
    ///   - roots: where a chain may end, the system's roots by default.
    ///   - profile: how strictly a chain and its names are judged, as those of public authorities by default.
    public init(
        keys: [PublicKey],
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        roots: TrustRoots = .system,
        profile: ValidationProfile = .webPKI
    ) {
        validatesHost = validateHost
        pins = PinnedKeys(
            pins: Set(keys.map { PublicKeyPin(of: $0) }),
            performDefaultValidation: performDefaultValidation,
            roots: roots,
            profile: profile
        )
    }

    /// Returns when a pinned key is in the validated chain.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try validateConfiguration()
        try pins.evaluate(trust, validateHost: validatesHost)
    }

    /// - Throws: ``TrustError`` with code `noPublicKeysFound` when the list is empty, `noCertificatesFound` when the
    ///   roots are.
    public func validateConfiguration() throws(TrustError) {
        guard !pins.pins.isEmpty else {
            throw TrustError(
                .noPublicKeysFound,
                reason: "no public key to pin was given; an empty list accepts nothing"
            )
        }
        try pins.validateConfiguration()
    }
}

extension PublicKeysTrustEvaluator: CustomStringConvertible {
    /// What is checked, in words.
    public var description: String { pins.words(validateHost: validatesHost) }
}
