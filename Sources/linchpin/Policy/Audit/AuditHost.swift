internal import Foundation
internal import Linchpin
// What a policy says of an entry is shared within the package only.
internal import LinchpinTrust

/// What an audit found about one host.
struct AuditHost: Encodable, Sendable {
    /// A certificate of a chain.
    struct Link: Encodable, Sendable {
        let subject: String
        let issuer: String
        let pin: String
        let notBefore: String
        let notAfter: String
        /// Whole days until the end; less than 0 where it is past.
        let days: Int
        /// How much of its life is left, from 0 to 1.
        let remaining: Double
        /// Whether the policy pins its key.
        let isPinned: Bool
    }

    /// Whether a pin is left for the day the chain changes.
    enum Backup: String, Encodable, Sendable {
        /// A pin is that of a key in no certificate that was seen.
        case offline
        /// Every pin is that of a key in the server's chain.
        case missing
        /// No pins are in the entry.
        case none
        /// No chain was seen.
        case unknown
    }

    let host: String
    let port: Int?
    let pattern: String?
    let status: AuditReport.Status
    /// `accepted`, the code of the refusal, `unreachable` or `unasked`.
    let outcome: String
    let reason: String
    /// What the policy checks.
    let checks: String
    /// Whether the chain is the one that was validated; else it is what the server sent.
    let isValidated: Bool
    let chain: [Link]
    let matchedPins: [String]
    let certificateDays: Int?
    let pinsExpire: String?
    let pinDays: Int?
    let backup: Backup
    let backupPins: [String]
    let revocation: String
    let transparency: String
    /// What people who keep the policy should know.
    let notices: [String]

    /// A wildcard that no host was named for.
    init(unasked entry: PolicySummary, now: Date) {
        host = entry.pattern
        port = nil
        pattern = entry.pattern
        status = .unasked
        outcome = "unasked"
        reason = "the entry names no host that can be asked; name one with --host"
        checks = entry.checks
        isValidated = false
        chain = []
        matchedPins = []
        certificateDays = nil
        pinsExpire = entry.expiration?.date.rfc3339
        pinDays = entry.expiration.map { Days.until($0.date, from: now) }
        backup = entry.pins.isEmpty ? .none : .unknown
        backupPins = []
        revocation = "not asked"
        transparency = "not asked"
        notices = []
    }

    init(_ target: AuditPlan.Target, _ visit: AuditVisit.Outcome, now: Date, warnDays: Int) {
        let (decision, entry) = (visit.decision, target.entry)
        let refusal = decision == nil ? visit.refusal : decision?.refusal
        host = target.identity.description
        port = target.port
        pattern = entry?.pattern
        checks = entry?.checks ?? "what hosts without an entry are judged by"
        let pins = Set(entry?.pins ?? [])
        let validated = decision?.validatedChain ?? []
        let presented = decision?.presentedChain ?? []
        isValidated = !validated.isEmpty
        chain = (validated.isEmpty ? presented : validated).map { Link($0, pins, now) }
        matchedPins = (decision?.pinMatches ?? []).map(\.pin.description)
        certificateDays = chain.map(\.days).min()
        let end = entry?.expiration?.date
        pinsExpire = end?.rfc3339
        pinDays = end.map { Days.until($0, from: now) }
        let left = pins.subtracting((validated + presented).map(\.publicKeyPin))
        backupPins = chain.isEmpty ? [] : left.map(\.description).sorted()
        backup = pins.isEmpty ? .none : chain.isEmpty ? .unknown : left.isEmpty ? .missing : .offline
        notices = (decision?.notices ?? []).map(\.rawValue)
        let isMismatch = decision?.notices.contains(.mismatchReportedOnly) == true
        let isSoon = [certificateDays, pinDays].contains { $0.map { $0 <= warnDays } ?? false }
        let isAccepted = decision?.isAccepted == true
        status = !isAccepted || isMismatch ? .refused : isSoon ? .expiring : .well
        outcome = isAccepted ? "accepted" : refusal?.code.rawValue ?? "unreachable"
        reason =
            isAccepted
            ? isMismatch ? "none of the pins is in the chain, which is only reported" : ""
            : refusal?.reason ?? visit.failure ?? "the server showed no certificate"
        revocation = Self.revocation(entry, decision, refusal)
        transparency = Self.transparency(entry, decision, refusal)
    }

    private static let revocationCodes: Set<TrustError.Code> = [
        .revoked, .revocationUnknown, .revocationResponseInvalid, .stapleMissing, .revocationInformationNeeded,
    ]

    private static func revocation(
        _ entry: PolicySummary?,
        _ decision: TrustDecision?,
        _ refusal: TrustError?
    ) -> String {
        if let refusal, revocationCodes.contains(refusal.code) { return refusal.code.rawValue }
        guard entry?.asksRevocation == true else { return "not asked" }
        guard let decision, refusal == nil else { return "not reached" }
        return decision.notices.contains(.revocationUnchecked) ? "nobody could say" : "not revoked"
    }

    private static func transparency(
        _ entry: PolicySummary?,
        _ decision: TrustDecision?,
        _ refusal: TrustError?
    ) -> String {
        if refusal?.code == .insufficientTransparency { return "too few logs" }
        let embedded = decision?.presentedChain.first?.embeddedTimestampCount ?? 0
        let words = "\(embedded) \(embedded == 1 ? "timestamp" : "timestamps") in the certificate"
        guard entry?.asksTransparency == true else { return decision == nil ? "not asked" : "not asked (\(words))" }
        return decision == nil || refusal != nil ? "not reached" : "enough logs (\(words))"
    }
}

extension AuditHost.Link {
    init(_ certificate: Certificate, _ pins: Set<PublicKeyPin>, _ now: Date) {
        subject = certificate.subject
        issuer = certificate.issuer
        pin = certificate.publicKeyPin.description
        notBefore = certificate.notBefore.rfc3339
        notAfter = certificate.notAfter.rfc3339
        days = Days.until(certificate.notAfter, from: now)
        let life = certificate.notAfter.timeIntervalSince(certificate.notBefore)
        let left = certificate.notAfter.timeIntervalSince(now)
        remaining = life > 0 ? min(max(left / life, 0), 1) : 0
        isPinned = pins.contains(certificate.publicKeyPin)
    }
}
