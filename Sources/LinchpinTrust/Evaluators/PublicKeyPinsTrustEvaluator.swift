/// Accepts a server whose validated chain holds a key with one of the given pins (RFC 7469 §2.6).
///
/// A pin may be that of the leaf, of an intermediate or of the root. Give a second pin for a key that is kept
/// off-line, so that the first can be replaced.
///
/// ```swift
/// try PublicKeyPinsTrustEvaluator(
///     pins: ["sha256/…", "sha256/…"],
///     expiration: PinExpiration("2030-01-31", afterwards: .fallBackToDefaultValidation)
/// )
/// ```
///
/// Whether a pin is that of a key in nobody's chain can be seen only when a server is judged. Where every pin is found
/// in its chain there is no backup, as RFC 7469 §2.5 wants one; the server is then accepted all the same, and the
/// decision has the notice ``TrustDecision/Notice/noBackupPin``.
public final class PublicKeyPinsTrustEvaluator: ServerTrustEvaluating {
    /// Whether the host's name has to be in the certificate.
    public let validatesHost: Bool
    private let pins: PinnedKeys

    /// Makes the evaluator.
    ///
    /// - Parameters:
    ///   - pins: see ``PublicKeyPin/init(_:)`` for how they are written.
    ///   - requiresBackupPin: whether there have to be two different pins at least, true by default. With a single one
    ///     the client is locked out on the day when the server's key is lost or replaced.
    ///   - expiration: until when the pins are in force and what happens then; nil, the default, for ever. Connections
    ///     that the pins let in close when they expire.
    ///   - onMismatch: whether a server without a pinned key is refused, reported, or both; refused by default.
    ///   - performDefaultValidation: whether a chain has to be valid, true by default. When false the leaf's own key is
    ///     enough, whatever its issuer and dates: this is how a self-signed server is accepted by its pin alone. The
    ///     key of an authority counts in a chain whose signatures lead to one of `roots`, whatever its dates: in any
    ///     other, what the key may issue is the server's own claim.
    ///   - validateHost: whether the host's name has to be in the certificate, true by default.
    ///   - roots: where a chain may end, the system's roots by default.
    ///   - profile: how strictly a chain and its names are judged, as those of public authorities by default.
    /// - Throws: ``TrustError`` with code `noPinsFound` for an empty list, `malformedPin` for a text that is no pin,
    ///   `noBackupPin`, and `contradictoryPolicy` for pins that only report where nothing else would be checked.
    public init(
        pins: [String],
        requiresBackupPin: Bool = true,
        expiration: PinExpiration? = nil,
        onMismatch: PinMismatchAction = .refuse,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        roots: TrustRoots = .system,
        profile: ValidationProfile = .webPKI
    ) throws(TrustError) {
        let parsed = try Self.parse(pins)
        guard parsed.count > 1 || !requiresBackupPin else { throw Self.noBackupPin(pins) }
        guard !onMismatch.isReportOnly || performDefaultValidation && validateHost else {
            throw TrustError(
                .contradictoryPolicy,
                reason: "pins that only report leave the judgement to the usual validation: with .reportOnly neither "
                    + "performDefaultValidation nor validateHost can be false"
            )
        }
        validatesHost = validateHost
        self.pins = PinnedKeys(
            pins: parsed,
            performDefaultValidation: performDefaultValidation,
            roots: roots,
            profile: profile,
            requiresBackupPin: requiresBackupPin,
            expiration: expiration,
            onMismatch: onMismatch
        )
    }

    /// Returns when a pinned key is in the validated chain.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        try pins.evaluate(trust, validateHost: validatesHost)
    }

    /// - Throws: ``TrustError`` with code `noCertificatesFound` when the roots are an empty list.
    public func validateConfiguration() throws(TrustError) { try pins.validateConfiguration() }

    private static func parse(_ texts: [String]) throws(TrustError) -> Set<PublicKeyPin> {
        guard !texts.isEmpty else {
            throw TrustError(.noPinsFound, reason: "no pin was given; an empty list accepts nothing")
        }
        var pins: Set<PublicKeyPin> = []
        for (index, text) in texts.enumerated() {
            do {
                pins.insert(try PublicKeyPin(text))
            } catch {
                throw texts.count == 1 ? error : error.at("pin \(index + 1) of \(texts.count)")
            }
        }
        return pins
    }

    private static func noBackupPin(_ texts: [String]) -> TrustError {
        TrustError(
            .noBackupPin,
            reason: (texts.count == 1 ? "there is one pin" : "the \(texts.count) pins are the same")
                + "; add that of a key which is kept off-line, or say requiresBackupPin: false"
        )
    }
}

extension PublicKeyPinsTrustEvaluator: CustomStringConvertible {
    /// What is checked, in words.
    public var description: String { pins.words(validateHost: validatesHost) }
}
