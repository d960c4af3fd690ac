internal import Foundation

/// What an issuer said about one of its certificates, verified, and for how long it counts.
struct RevocationFact: Sendable {
    enum Status: Sendable, Hashable {
        case good
        /// When it was, if the issuer says so.
        case revoked(Date?)
        /// The issuer's responder does not know the certificate.
        case unknown
    }

    /// How the fact came here.
    enum Origin: Hashable, Sendable {
        case staple, responder, list
    }

    let status: Status
    let origin: Origin
    /// From when it is.
    let thisUpdate: Date
    let validUntil: Date

    func counts(at date: Date) -> Bool {
        thisUpdate <= date.addingTimeInterval(Self.skew) && !validUntil.isOver(at: date)
    }

    /// How far the issuer's clock may be ahead, in seconds.
    static let skew: TimeInterval = 300
    /// How long an OCSP response counts that does not say when the next one comes, in seconds: RFC 6960 §4.2.2.1 has it
    /// that there is always a newer one.
    static let lifeWithoutEnd: TimeInterval = 3_600
}
