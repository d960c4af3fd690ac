package import Foundation

/// What has to be fetched before one certificate can be judged.
///
/// Whoever gets demands with a ``TrustError`` of code `revocationInformationNeeded` fetches, off the event loop, the
/// sources of each in their order until ``supply(_:from:at:)`` takes what came; if none is taken it calls
/// ``giveUp(at:)``. The handshake is then made again: no demand is made twice within five minutes.
package struct RevocationDemand: Sendable {
    /// One place to ask.
    package enum Source: Hashable, Sendable {
        /// POST `request` as `application/ocsp-request` (RFC 6960 A.1).
        case ocsp(url: String, request: Data)
        /// GET a list.
        case revocationList(url: String)

        /// Plain HTTP.
        package var url: String {
            switch self {
            case .ocsp(let url, _), .revocationList(let url): url
            }
        }

        var origin: RevocationFact.Origin {
            switch self {
            case .ocsp: .responder
            case .revocationList: .list
            }
        }

        /// The longest answer to be read, in bytes.
        package var mostBytes: Int {
            switch self {
            case .ocsp: 1 << 16
            case .revocationList: 32 << 20
            }
        }
    }

    /// Where to ask, in order.
    package let sources: [Source]
    /// The certificate that it is about.
    package var certificate: Certificate { subject.certificate }
    let subject: IssuedCertificate
    let cache: RevocationCache

    /// Equal for demands of which one answer is enough: about one certificate, from places of the same kinds, for one
    /// cache. The cache lives as long as a demand for it.
    package struct Purpose: Hashable, Sendable {
        let subject: IssuedCertificate
        let origins: Set<RevocationFact.Origin>
        let cache: ObjectIdentifier
    }

    package var purpose: Purpose {
        Purpose(subject: subject, origins: origins, cache: ObjectIdentifier(cache))
    }

    private var origins: Set<RevocationFact.Origin> { Set(sources.map(\.origin)) }

    /// Whether there is an answer by now, or nobody had one: others may have asked since the demand was made.
    package func isSettled(at date: Date) -> Bool {
        origins.allSatisfy { cache.hasGivenUp($0, about: subject, at: date) }
            || cache.facts(about: subject, at: date).contains { origins.contains($0.origin) }
    }

    /// Takes the body of an answer, verifies it and keeps it for the next handshake.
    ///
    /// - Parameters:
    ///   - date: the time to verify by.
    /// - Throws: ``TrustError`` with code `revocationResponseInvalid` or `malformedRevocationList`: ask the next source.
    package func supply(_ response: Data, from source: Source, at date: Date) throws(TrustError) {
        switch source {
        case .ocsp(_, let request):
            let fact = try OCSPResponse(der: response)
                .fact(about: subject, request: request, origin: .responder, at: date)
            cache.keep(fact, about: subject, at: date)
        case .revocationList:
            let list = try CertificateRevocationList(der: response)
            let fact = try RevocationListCheck(list: list).fact(about: subject, at: date)
            cache.keep(list, of: subject.issuer)
            cache.keep(fact, about: subject, at: date)
        }
    }

    /// Notes that no source gave a usable answer.
    package func giveUp(at date: Date) {
        for origin in origins { cache.giveUp(origin, about: subject, at: date) }
    }
}
