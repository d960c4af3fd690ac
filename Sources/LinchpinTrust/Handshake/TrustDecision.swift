public import Foundation

/// What became of one TLS handshake, or of a TLS session that was taken up again: who was let in or not, and why.
public struct TrustDecision: Sendable {
    /// Something about a decision that the people who keep the policy should know.
    public struct Notice: RawRepresentable, Hashable, Sendable {
        /// A short stable word such as `noBackupPin`.
        public let rawValue: String

        /// Wraps a word; use the static members.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Every pin is that of a key in the server's chain, so that none is left for the day when the chain changes.
        public static let noBackupPin = Notice(rawValue: "noBackupPin")
        /// The pins' date has passed; what was said for that case was done.
        public static let pinsExpired = Notice(rawValue: "pinsExpired")
        /// No pinned key is in the chain, and the server was let in because the pins only report.
        public static let mismatchReportedOnly = Notice(rawValue: "mismatchReportedOnly")
        /// Whether a certificate of the chain was revoked could not be found out, and the server was let in because it
        /// need not be known.
        public static let revocationUnchecked = Notice(rawValue: "revocationUnchecked")
    }

    /// The host that was asked for, in its canonical form.
    public let host: String
    /// Its port; nil off-line.
    public let port: Int?
    /// The pattern of the entry that led to the evaluator; nil where no entry did.
    public let pattern: String?
    /// When the decision was made.
    public let date: Date
    /// Why the server was refused; nil when the evaluator accepted it.
    ///
    /// Where a custom evaluator did not look at the host's name, libcurl may still refuse a server that was accepted.
    public let refusal: TrustError?
    /// Which pins matched which certificates of the validated chain, the leaf's first; empty where nothing is pinned.
    public let pinMatches: [PinMatch]
    /// When the pins that were looked at expire; nil for pins without an end.
    public let pinExpiration: Date?
    /// What else there is to know.
    public let notices: [Notice]
    /// What the server sent, leaf first.
    public let presentedChain: [Certificate]
    /// The chain that was built and verified, leaf first; empty when none was.
    public let validatedChain: [Certificate]

    /// Whether the evaluator accepted the server.
    public var isAccepted: Bool { refusal == nil }
}

extension TrustDecision: CustomStringConvertible {
    /// One line for an acceptance, the whole error for a refusal.
    public var description: String {
        let place = host.contains(":") && port != nil ? "[\(host)]" : host
        let server = place + (port.map { ":\($0)" } ?? "") + (pattern.map { " (pattern \($0))" } ?? "")
        let words = notices.isEmpty ? "" : "; " + notices.map(\.rawValue).joined(separator: ", ")
        if let refusal { return "refused \(server)\(words): \(refusal)" }
        let matches = pinMatches.map { "\($0.pin) of \($0.certificate.subject)" }.joined(separator: ", ")
        return "accepted \(server)\(matches.isEmpty ? "" : ", matched \(matches)")\(words)"
    }
}

/// A pin, and the certificate of the validated chain that matched it.
public struct PinMatch: Hashable, Sendable {
    /// The pin of the certificate's key.
    public let pin: PublicKeyPin
    /// The certificate.
    public let certificate: Certificate
}
