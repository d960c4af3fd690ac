internal import Foundation
internal import Synchronization

/// Accepts a server whose certificate was submitted to public logs (RFC 6962), as their signed timestamps prove.
///
/// Timestamps count wherever they come from: in the certificate, in the TLS handshake's extension, or in a stapled OCSP
/// response. Each has to be signed by one of the given logs; several of one log count once. Whether the log really has
/// the certificate is not asked.
///
/// ```swift
/// try CertificateTransparencyTrustEvaluator(logs: TransparencyLog.logs(contentsOfFile: "logs.cnf"))
/// ```
public final class CertificateTransparencyTrustEvaluator: ServerTrustEvaluating {
    /// Whether the host's name has to be in the certificate.
    public let validatesHost: Bool
    private let minimumLogs: Int
    private let performDefaultValidation: Bool
    private let roots: TrustRoots
    private let profile: ValidationProfile
    private let store: TransparencyLogStore
    /// Who vouched for a certificate in a handshake: a resumed TLS session brings no timestamps of its own.
    private let seen = Mutex<[IssuedCertificate: Set<Data>]>([:])

    /// How many certificates are remembered.
    private static let mostSeen = 1_000

    /// Makes the evaluator.
    ///
    /// - Parameters:
    ///   - logs: the logs whose word counts.
    ///   - minimumLogs: how many different ones have to vouch for a certificate, 2 by default.
    ///   - performDefaultValidation: whether a chain is validated here, true by default. When false the chain counts that
    ///     an evaluator before this one validated, as in a ``CompositeTrustEvaluator``; where none did, one is validated
    ///     all the same, since a timestamp is for a certificate of one issuer.
    ///   - validateHost: whether the host's name has to be in the certificate, true by default.
    ///   - roots: where a chain may end, the system's roots by default.
    ///   - profile: how strictly a chain and its names are judged, as those of public authorities by default.
    /// - Throws: ``TrustError`` with code `noTransparencyLogsFound` for an empty list, `contradictoryPolicy` for a number
    ///   below 1 or above that of the different logs, and `malformedTransparencyLog` for a key that OpenSSL cannot use.
    public init(
        logs: [TransparencyLog],
        minimumLogs: Int = 2,
        performDefaultValidation: Bool = true,
        validateHost: Bool = true,
        roots: TrustRoots = .system,
        profile: ValidationProfile = .webPKI
    ) throws(TrustError) {
        guard !logs.isEmpty else {
            throw TrustError(.noTransparencyLogsFound, reason: "no log was given; an empty list accepts nothing")
        }
        let count = Set(logs.map(\.identifier)).count
        guard (1...count).contains(minimumLogs) else {
            throw TrustError(
                .contradictoryPolicy,
                reason:
                    "\(minimumLogs) of \(count) logs cannot vouch for a certificate; give a number from 1 to \(count)"
            )
        }
        store = try TransparencyLogStore(logs)
        self.minimumLogs = minimumLogs
        self.performDefaultValidation = performDefaultValidation
        validatesHost = validateHost
        self.roots = roots
        self.profile = profile
    }

    /// Returns when enough logs vouch for the certificate.
    ///
    /// - Throws: ``TrustError`` with code `insufficientTransparency`, or what validation finds.
    public func evaluate(_ trust: ServerTrust, forHost host: String) throws {
        let known = trust.findings.current.validatedChain
        let isValidated = !performDefaultValidation && !known.isEmpty
        let chain = isValidated ? known : try trust.validatedChain(roots: roots, profile: profile)
        if validatesHost { try trust.validateHost(profile: profile) }
        guard let leaf = IssuedCertificate.all(of: chain).first else {
            throw TrustError(
                .insufficientTransparency,
                reason: "the server's own certificate is the trust anchor, which no log vouches for"
            )
        }
        let logs = logs(vouchingFor: leaf, trust)
        guard logs.count < minimumLogs else { return }
        if trust.evidence.staple == .pending { return trust.findings.recordAwaitingStaple() }
        throw TrustError(
            .insufficientTransparency,
            reason: "\(logs.count) of the given logs vouch for \(leaf.certificate.subject), and \(minimumLogs) have to"
        )
    }

    private func logs(vouchingFor leaf: IssuedCertificate, _ trust: ServerTrust) -> Set<Data> {
        defer { OpenSSLError.clear() }
        var logs: Set<Data> = []
        if let embedded = SignedTimestamps(embeddedIn: leaf.certificate) {
            logs = embedded.logs(vouchingFor: leaf, among: store, at: trust.date)
        }
        if trust.evidence.staple == .unavailable { return logs.union(seen.withLock { $0[leaf] } ?? []) }
        var others: Set<Data> = []
        if let bytes = trust.evidence.timestamps, let sent = SignedTimestamps(ofExtension: bytes) {
            others = sent.logs(vouchingFor: leaf, among: store, at: trust.date)
        }
        if case .response(let response) = trust.evidence.staple, let stapled = try? OCSPResponse(der: response) {
            others.formUnion(stapled.logs(vouchingFor: leaf, among: store, at: trust.date))
        }
        if !others.isEmpty { remember(others, leaf) }
        return logs.union(others)
    }

    private func remember(_ logs: Set<Data>, _ leaf: IssuedCertificate) {
        seen.withLock { seen in
            if seen[leaf] == nil, seen.count >= Self.mostSeen { seen = [:] }
            seen[leaf, default: []].formUnion(logs)
        }
    }

    /// - Throws: ``TrustError`` with code `noCertificatesFound` when the roots are an empty list.
    public func validateConfiguration() throws(TrustError) { try roots.validateConfiguration() }
}

extension CertificateTransparencyTrustEvaluator: CustomStringConvertible {
    /// What is checked, in words.
    public var description: String {
        "\(EvaluatorWords.chain(true)), \(EvaluatorWords.host(validatesHost)), in \(minimumLogs) public logs at least"
    }
}
