public import Foundation

/// Why a certificate, a pin, a host pattern or a server was refused.
///
/// Compare ``code`` in programs and tests; ``reason`` and ``description`` are for people. Two errors are equal when
/// their codes are.
public struct TrustError: Error, Sendable {
    /// What kind of refusal this is.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// A short stable word such as `hostMismatch`.
        public let rawValue: String

        /// Wraps a word; use the static members.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// PEM or DER that is not a certificate.
        public static let malformedCertificate = Code(rawValue: "malformedCertificate")
        /// A public key that cannot be read.
        public static let malformedPublicKey = Code(rawValue: "malformedPublicKey")
        /// A text that is not a pin; see ``PublicKeyPin/init(_:)``.
        public static let malformedPin = Code(rawValue: "malformedPin")
        /// A host that is neither a DNS name nor an IP address.
        public static let malformedHost = Code(rawValue: "malformedHost")
        /// A host pattern that can match no host.
        public static let malformedHostPattern = Code(rawValue: "malformedHostPattern")
        /// A file that cannot be read; the reason has its path and errno's words.
        public static let unreadableFile = Code(rawValue: "unreadableFile")
        /// An evaluator was given no certificates.
        public static let noCertificatesFound = Code(rawValue: "noCertificatesFound")
        /// An evaluator was given no public keys.
        public static let noPublicKeysFound = Code(rawValue: "noPublicKeysFound")
        /// An evaluator was given no pins.
        public static let noPinsFound = Code(rawValue: "noPinsFound")
        /// A single pin was given where a second one, kept for the day when the first is replaced, is required.
        public static let noBackupPin = Code(rawValue: "noBackupPin")
        /// A date that cannot be read.
        public static let malformedDate = Code(rawValue: "malformedDate")
        /// A policy file that cannot be read as one; the reason has the place in it, and ``TrustError/cause`` what another
        /// part found there.
        public static let malformedPolicy = Code(rawValue: "malformedPolicy")
        /// A document of a newer format than this version of the library reads.
        public static let unsupportedPolicyFormat = Code(rawValue: "unsupportedPolicyFormat")
        /// A signed policy whose signature is not that of the given key.
        public static let policySignatureInvalid = Code(rawValue: "policySignatureInvalid")
        /// A signed policy that is older than one that was taken on already, or another one with the same version.
        public static let policyRolledBack = Code(rawValue: "policyRolledBack")
        /// A signed policy whose date has passed.
        public static let policyExpired = Code(rawValue: "policyExpired")
        /// A file that cannot be written; the reason has its path and errno's words.
        public static let unwritableFile = Code(rawValue: "unwritableFile")
        /// Settings of one policy that would accept every server when they are taken together.
        public static let contradictoryPolicy = Code(rawValue: "contradictoryPolicy")
        /// A composite evaluator was given no evaluators.
        public static let noEvaluatorsFound = Code(rawValue: "noEvaluatorsFound")
        /// No entry of the table matches the host, and all hosts must be evaluated.
        public static let noRequiredEvaluator = Code(rawValue: "noRequiredEvaluator")
        /// The host has a trust policy, and the request would have gone over plain HTTP.
        public static let cleartextRefused = Code(rawValue: "cleartextRefused")
        /// No chain leads to a trusted root.
        public static let noAnchor = Code(rawValue: "noAnchor")
        /// A certificate of the chain is past its notAfter.
        public static let expired = Code(rawValue: "expired")
        /// A certificate of the chain is before its notBefore.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// The chain breaks another rule of path validation (RFC 5280 §6).
        public static let chainInvalid = Code(rawValue: "chainInvalid")
        /// The leaf does not name the host.
        public static let hostMismatch = Code(rawValue: "hostMismatch")
        /// No pinned certificate or key is in the validated chain.
        public static let pinMismatch = Code(rawValue: "pinMismatch")
        /// The pins' date has passed, after which the host is to be refused.
        public static let pinsExpired = Code(rawValue: "pinsExpired")
        /// A certificate of the chain was revoked by its issuer.
        public static let revoked = Code(rawValue: "revoked")
        /// Whether a certificate was revoked could not be found out, and it has to be known.
        public static let revocationUnknown = Code(rawValue: "revocationUnknown")
        /// What is said about revocation cannot be relied upon: signed by somebody else, about another certificate, too
        /// old.
        public static let revocationResponseInvalid = Code(rawValue: "revocationResponseInvalid")
        /// The certificate says that its server always staples an OCSP response (RFC 7633), and it did not.
        public static let stapleMissing = Code(rawValue: "stapleMissing")
        /// What has to be known about revocation is not at hand and has to be fetched first. A session does that and
        /// tries again.
        public static let revocationInformationNeeded = Code(rawValue: "revocationInformationNeeded")
        /// Bytes that are not a certificate revocation list.
        public static let malformedRevocationList = Code(rawValue: "malformedRevocationList")
        /// Fewer public logs vouch for the certificate than have to.
        public static let insufficientTransparency = Code(rawValue: "insufficientTransparency")
        /// An evaluator was given no public logs.
        public static let noTransparencyLogsFound = Code(rawValue: "noTransparencyLogsFound")
        /// A log list, or a log's key, that cannot be read or used.
        public static let malformedTransparencyLog = Code(rawValue: "malformedTransparencyLog")
        /// A client identity that cannot be read or used.
        public static let malformedIdentity = Code(rawValue: "malformedIdentity")
        /// A password that does not open a client identity, or none for one that is encrypted.
        public static let wrongPassword = Code(rawValue: "wrongPassword")
        /// A client identity has no private key.
        public static let noPrivateKeyFound = Code(rawValue: "noPrivateKeyFound")
        /// A private key that is not that of the certificate.
        public static let privateKeyMismatch = Code(rawValue: "privateKeyMismatch")
        /// A setting of TLS that OpenSSL does not know, or that contradicts another one.
        public static let malformedTLSSettings = Code(rawValue: "malformedTLSSettings")
        /// An evaluator of the caller's own threw; ``TrustError/cause`` has its error.
        public static let customEvaluationFailed = Code(rawValue: "customEvaluationFailed")
        /// The connection was judged under another policy, or its certificates are no longer valid.
        public static let policyChanged = Code(rawValue: "policyChanged")
        /// The server could not be judged: OpenSSL failed, or there was nothing to judge.
        public static let evaluationUnavailable = Code(rawValue: "evaluationUnavailable")
    }

    /// What kind of refusal this is.
    public let code: Code
    /// What went wrong and what to do, in one or two sentences.
    public let reason: String
    /// The host that was asked for, in its canonical form.
    public internal(set) var host: String?
    /// The pattern of the host table that matched.
    public internal(set) var pattern: String?
    /// The pins that would have been accepted.
    public internal(set) var expectedPins: [String] = []
    /// What the server sent, leaf first.
    public internal(set) var presentedChain: [Certificate] = []
    /// The chain that was built and verified, leaf first; empty when none was.
    public internal(set) var validatedChain: [Certificate] = []
    /// What to fetch before the server can be judged, for the code `revocationInformationNeeded`.
    package internal(set) var revocationDemands: [RevocationDemand] = []
    /// The error underneath, if another one caused this.
    public let cause: (any Error)?

    /// Makes a refusal, for evaluators of the caller's own.
    public init(_ code: Code, reason: String, cause: (any Error)? = nil) {
        self.code = code
        self.reason = reason
        self.cause = cause
    }
}

extension TrustError: Equatable {
    /// Whether both have the same ``code``.
    public static func == (left: TrustError, right: TrustError) -> Bool { left.code == right.code }
}

extension TrustError: CustomStringConvertible, LocalizedError {
    /// The reason, the host and, for a server's refusal, every certificate with its pin, ready to be pasted.
    public var description: String {
        var lines = ["\(code.rawValue): \(reason)"]
        if let host {
            lines.append("  host: \(host)" + (pattern.map { " (pattern \($0))" } ?? ""))
        }
        if !expectedPins.isEmpty {
            lines.append("  expected one of:")
            lines += expectedPins.map { "    \($0)" }
        }
        lines += Self.lines("validated chain", validatedChain)
        lines += Self.lines("presented chain", presentedChain)
        if let cause { lines.append("  cause: \(cause)") }
        return lines.joined(separator: "\n")
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    private static func lines(_ title: String, _ chain: [Certificate]) -> [String] {
        guard !chain.isEmpty else { return [] }
        return ["  \(title):"] + chain.map { "    \($0.publicKeyPin) \($0.subject)" }
    }
}
