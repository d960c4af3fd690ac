/// Accepts a server whose validated chain holds a key with one of the given pins (RFC 7469 §2.6).
///
/// A pin may be that of the leaf, of an intermediate or of the root. Give a second pin for a key that is kept
/// off-line, so that the first can be replaced.
///
/// ```swift
/// try PublicKeyPinsTrustEvaluator(pins: ["sha256/…", "sha256/…"])
/// ```
public final class PublicKeyPinsTrustEvaluator: ServerTrustEvaluating {
    /// Whether the host's name has to be in the certificate.
    public let validatesHost: Bool
    private let pins: PinnedKeys

    /// Makes the evaluator.
    ///
    /// - Parameters:
    ///   - pins: `sha256/` and the Base64 of the SHA-256 of a SubjectPublicKeyInfo, each.
    ///   - performDefaultValidation: whether a chain has to be valid, true by default. When false only the leaf's own
    ///     key, or a chain whose signatures lead to a certificate with a pinned key, is accepted, whatever its dates:
    ///     this is how a self-signed server is accepted by its pin alone.
    ///   - validateHost: whether the host's name has to be in the certificate, true by default.
    ///   - roots: where a chain may end, the system's roots by default.
    ///   - profile: how strictly a chain and its names are judged, as those of public authorities by default.
    /// - Throws: ``TrustError`` with code `noPinsFound` for an empty list, `malformedPin` for a text that is no pin.
    public init(
        pins: [String],
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        roots: TrustRoots = .system,
        profile: ValidationProfile = .webPKI
    ) throws(TrustError) {
        guard !pins.isEmpty else {
            throw TrustError(.noPinsFound, reason: "no pin was given; an empty list accepts nothing")
        }
        var parsed: Set<PublicKeyPin> = []
        for pin in pins { parsed.insert(try PublicKeyPin(pin)) }
        validatesHost = validateHost
        self.pins = PinnedKeys(
            pins: parsed,
            performDefaultValidation: performDefaultValidation,
            roots: roots,
            profile: profile
        )
    }

    /// Returns when a pinned key is in the validated chain.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try pins.evaluate(trust, validateHost: validatesHost)
    }

    /// - Throws: ``TrustError`` with code `noCertificatesFound` when the roots are an empty list.
    public func validateConfiguration() throws(TrustError) { try pins.validateConfiguration() }
}
