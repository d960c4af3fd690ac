internal import CLinchpin
internal import COpenSSL
public import Foundation
internal import Synchronization

/// A server to be judged: what it presented, for which host, at what time.
///
/// Nothing in ``presentedChain`` is trusted by being there. Ask for a validated chain, and compare pins with that
/// alone: a server can send any certificate beside its own.
public struct ServerTrust: Sendable {
    /// The host that was asked for: lower-case A-labels without a trailing dot, or an address.
    public let host: String
    /// What the server sent, its own certificate first; the rest in any order.
    public let presentedChain: [Certificate]
    /// The server's own certificate.
    public let leaf: Certificate
    /// The time of the judgement.
    public let date: Date
    /// The port that is spoken to; nil off-line.
    public let port: Int?
    /// The pattern of the host table that led here, as it was written; nil where none did.
    public let pattern: String?
    let identity: ReferenceIdentity
    /// What came beside the chain.
    let evidence: HandshakeEvidence
    /// What the judgement rested on so far.
    let findings = Findings()

    /// Takes what a server presented.
    ///
    /// - Parameters:
    ///   - presentedChain: the server's certificate first.
    ///   - host: a DNS name or an IP address, in any spelling.
    ///   - date: the time to judge by.
    ///   - stapledResponse: the DER of the OCSP response that the server stapled; nil, the default, for none.
    /// - Throws: ``TrustError`` with code `malformedHost`, or `evaluationUnavailable` for an empty chain.
    public init(
        presentedChain: [Certificate],
        host: String,
        date: Date,
        stapledResponse: Data? = nil
    ) throws(TrustError) {
        let evidence = HandshakeEvidence(staple: stapledResponse.map { .response($0) } ?? .unavailable)
        let identity = try ReferenceIdentity(host: host)
        try self.init(presentedChain: presentedChain, identity: identity, date: date, evidence: evidence)
    }

    init(
        presentedChain: [Certificate],
        identity: ReferenceIdentity,
        date: Date,
        port: Int? = nil,
        pattern: String? = nil,
        evidence: HandshakeEvidence = HandshakeEvidence()
    ) throws(TrustError) {
        guard let leaf = presentedChain.first else {
            throw TrustError(.evaluationUnavailable, reason: "the server presented no certificate")
        }
        self.presentedChain = presentedChain
        self.leaf = leaf
        self.date = date
        self.port = port
        self.pattern = pattern
        self.identity = identity
        self.evidence = evidence
        host = identity.description
    }

    /// Builds a chain from the leaf to one of the roots and verifies it: signatures, dates, purpose, constraints and
    /// key strength (RFC 5280 §6, OpenSSL's security level 2). The host is not looked at; see ``validateHost()``.
    ///
    /// - Returns: the chain, the leaf first and the anchor last.
    /// - Throws: ``TrustError`` with code `noAnchor`, `expired`, `notYetValid` or `chainInvalid`.
    @discardableResult
    public func validatedChain(
        roots: TrustRoots = .system,
        profile: ValidationProfile = .webPKI
    ) throws(TrustError) -> [Certificate] {
        let store = try roots.store()
        let chain = try validator.validatedChain(store: store, demand: .profile(profile))
        findings.record(validatedChain: chain, anchor: store.origin(ofChain: chain))
        return chain
    }

    /// Builds a chain from the leaf to one of `anchors` and verifies it by the rules of
    /// ``ValidationProfile/privatePKI``, but for the dates.
    ///
    /// - Parameters:
    ///   - anchors: certificates of your own. One out of ``presentedChain`` would make what it may issue the server's
    ///     own claim, even where its key is known: anybody can write another certificate for that key.
    /// - Throws: ``TrustError`` as ``validatedChain(roots:profile:)`` does, but for the dates.
    public func signedChain(anchors: [Certificate]) throws(TrustError) -> [Certificate] {
        try signedChain(roots: .certificates(anchors))
    }

    /// The same to one of the roots.
    func signedChain(roots: TrustRoots) throws(TrustError) -> [Certificate] {
        try validator.validatedChain(store: roots.store(), demand: .signatures)
    }

    /// Compares the host with the leaf's subject alternative names (RFC 9525 §6).
    ///
    /// DNS names match without regard to case; `*` stands for one whole left-most label; addresses match only
    /// address entries; the subject's common name never counts.
    ///
    /// A certificate with a malformed name is refused, whatever its other names. In ``ValidationProfile/webPKI`` the
    /// common name has to agree with them, and no wildcard stands for the names of a registry such as `co.uk`, as far
    /// as the system's libpsl knows it. Hosts of one operator, such as those below `s3.amazonaws.com`, may have one if the
    /// validated chain ends at one of the system's roots; ask for the chain first.
    ///
    /// - Throws: ``TrustError`` with code `hostMismatch`.
    public func validateHost(profile: ValidationProfile = .webPKI) throws(TrustError) {
        OpenSSLError.clear()
        var flags = UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT)
        if profile == .webPKI, isBelowPublicSuffix { flags |= UInt32(X509_CHECK_FLAG_NO_WILDCARDS) }
        let matched: Int32
        switch identity {
        case .dns(let name): matched = X509_check_host(leaf.handle.pointer, name, name.utf8.count, flags, nil)
        case .ip(let address): matched = X509_check_ip(leaf.handle.pointer, address.octets, address.octets.count, flags)
        }
        let fault = LeafNames(profile: profile).fault(in: leaf)
        guard matched == 1, fault == nil else {
            let names = leaf.subjectAlternativeNames.map(\.description).joined(separator: ", ")
            let why = fault.map { "; \($0)" } ?? ""
            throw TrustError(
                .hostMismatch,
                reason: "the certificate \(leaf.subject) is for \(names.isEmpty ? "no host" : names), "
                    + (matched == 1 ? "and cannot be used\(why)" : "not for \(host)\(why)")
            )
        }
    }

    /// Whether a wildcard for the host would stand for every name of a registry, of strangers to each other.
    private var isBelowPublicSuffix: Bool {
        guard case .dns(let name) = identity, let point = name.firstIndex(of: ".") else { return false }
        return PublicSuffix.contains(String(name[name.index(after: point)...]), issuer: findings.current.anchor)
    }

    private var validator: PathValidator { PathValidator(leaf: leaf, pool: presentedChain, date: date) }
}
