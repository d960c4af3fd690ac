internal import CLinchpin
internal import COpenSSL
package import Foundation
internal import Synchronization

/// Judges the handshakes of one connection with one host; see ``ConnectionJudges`` for how OpenSSL asks.
package final class HandshakeJudge: Sendable {
    package let identity: ReferenceIdentity
    package let policy: TrustPolicy
    private let now: @Sendable () -> Date
    private let lastRefusal = Mutex<TrustError?>(nil)
    private let lastEnd = Mutex<Date?>(nil)

    package init(identity: ReferenceIdentity, policy: TrustPolicy, now: @escaping @Sendable () -> Date) {
        self.identity = identity
        self.policy = policy
        self.now = now
    }

    /// The same judge, who has judged nothing yet.
    func renewed() -> HandshakeJudge { HandshakeJudge(identity: identity, policy: policy, now: now) }

    /// Why the last handshake was refused, in full; nil when none was.
    package var refusal: TrustError? { lastRefusal.withLock { $0 } }

    /// Until when the last handshake that was accepted is good; nil when none was.
    package var acceptedUntil: Date? { lastEnd.withLock { $0 } }

    /// Judges a chain: the same code for a handshake, a resumed session and off-line.
    package func evaluate(presentedChain: [Certificate]) throws(TrustError) -> Verdict {
        guard let verdict = try judge(presentedChain, HandshakeEvidence()) else {
            throw TrustError(.evaluationUnavailable, reason: "an evaluator waits for what no handshake will bring")
                .about(host: identity.description, pattern: policy.pattern)
        }
        return verdict
    }

    /// The verdict; nil where an evaluator has still to see the stapled response.
    private func judge(_ presentedChain: [Certificate], _ evidence: HandshakeEvidence) throws(TrustError) -> Verdict? {
        let trust: ServerTrust
        do throws(TrustError) {
            trust = try ServerTrust(
                presentedChain: presentedChain,
                identity: identity,
                date: now(),
                port: policy.port,
                pattern: policy.pattern,
                evidence: evidence
            )
        } catch {
            throw error.about(host: identity.description, pattern: policy.pattern)
        }
        do {
            try policy.evaluator.evaluate(trust, forHost: trust.host)
            try validateStrength(trust)
        } catch {
            let refusal = refusal(error, trust)
            trust.findings.announce()
            announce(trust, refusal)
            throw refusal
        }
        let findings = trust.findings.current
        if findings.awaitsStaple, evidence.staple == .pending { return nil }
        trust.findings.announce()
        announce(trust, nil)
        return Verdict(
            identity: identity,
            policyTag: policy.tag,
            presentedChain: presentedChain,
            validUntil: findings.validUntil
        )
    }

    /// What the settings of TLS want of the chain; of the leaf alone where none was validated.
    private func validateStrength(_ trust: ServerTrust) throws(TrustError) {
        guard let level = policy.tlsSettings?.securityLevel else { return }
        let chain = trust.findings.current.validatedChain
        try SecurityLevel(level: level).validate(chain.isEmpty ? [trust.leaf] : chain)
    }

    /// What the evaluator threw, with everything that is known about the server.
    private func refusal(_ error: any Error, _ trust: ServerTrust) -> TrustError {
        let error = TrustError.wrapping(error, "the evaluator of \(trust.host) threw")
        let chain = error.validatedChain.isEmpty ? trust.findings.current.validatedChain : error.validatedChain
        return error.about(host: trust.host, pattern: policy.pattern)
            .with(presentedChain: trust.presentedChain)
            .with(validatedChain: chain, expectedPins: error.expectedPins)
    }

    private func announce(_ trust: ServerTrust, _ refusal: TrustError?) {
        policy.observers?.tell {
            let findings = trust.findings.current
            return TrustDecision(
                host: trust.host,
                port: trust.port,
                pattern: trust.pattern,
                date: trust.date,
                refusal: refusal,
                pinMatches: findings.pinMatches,
                pinExpiration: findings.pinExpiration,
                notices: findings.notices,
                presentedChain: trust.presentedChain,
                validatedChain: refusal?.validatedChain ?? findings.validatedChain
            )
        }
    }

    /// Judges the chain of a verification that OpenSSL hands over, and keeps the outcome with the connection.
    ///
    /// In TLS 1.2 a stapled response arrives later in the same flight. A server that is accepted but for it has no
    /// verdict yet: ``decideAtEndOfFlight(_:)`` makes one, and without one no request goes out.
    ///
    /// - Returns: whether the server is accepted.
    func decide(_ context: OpaquePointer) -> Bool {
        accept { () throws(TrustError) in
            guard let connection = X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx()) else {
                throw TrustError(.evaluationUnavailable, reason: "the handshake has no connection")
            }
            let evidence = HandshakeEvidence(duringVerificationOf: OpaquePointer(connection))
            try keep(judge(presentedChain(of: context), evidence), connection)
        }
    }

    /// Judges a server again once its whole first flight is there, if the stapled response had still to be seen.
    ///
    /// - Returns: whether the server is accepted.
    func decideAtEndOfFlight(_ connection: OpaquePointer) -> Bool {
        // A resumed session is judged by review(connection:).
        if Verdict.attached(toConnection: UnsafeMutableRawPointer(connection)) != nil { return true }
        if SSL_session_reused(connection) == 1 { return true }
        return accept { () throws(TrustError) in
            guard let leafPointer = SSL_get0_peer_certificate(connection),
                let leaf = Certificate(handle: X509Handle(sharing: leafPointer))
            else { throw TrustError(.evaluationUnavailable, reason: "the server has no certificate") }
            let sent = X509Stack.certificates(borrowing: SSL_get_peer_cert_chain(connection))
            let chain = sent.first == leaf ? sent : [leaf] + sent
            try keep(judge(chain, HandshakeEvidence(atEndOfFlightOf: connection)), UnsafeMutableRawPointer(connection))
        }
    }

    /// Whether this judge has accepted the server of a connection, in a full handshake.
    func hasAccepted(_ connection: OpaquePointer) -> Bool {
        guard let verdict = Verdict.attached(toConnection: UnsafeMutableRawPointer(connection)) else { return false }
        return verdict.policyTag == policy.tag && verdict.identity == identity
    }

    private func accept(_ body: () throws(TrustError) -> Void) -> Bool {
        do throws(TrustError) {
            try body()
            lastRefusal.withLock { $0 = nil }
            return true
        } catch {
            lastRefusal.withLock { $0 = error }
            return false
        }
    }

    private func keep(_ verdict: Verdict?, _ connection: UnsafeMutableRawPointer) throws(TrustError) {
        let isKept = verdict?.attach(toConnection: connection) ?? Verdict.detach(fromConnection: connection)
        guard isKept else {
            throw TrustError(.evaluationUnavailable, reason: "the verdict could not be kept with the connection")
        }
        if let verdict { lastEnd.withLock { $0 = verdict.validUntil } }
    }

    private func presentedChain(of context: OpaquePointer) -> [Certificate] {
        guard let pointer = X509_STORE_CTX_get0_cert(context),
            let leaf = Certificate(handle: X509Handle(sharing: pointer))
        else { return [] }
        let sent = X509Stack.certificates(borrowing: X509_STORE_CTX_get0_untrusted(context))
        return sent.first == leaf ? sent : [leaf] + sent
    }
}

extension HandshakeJudge {
    /// Looks at a connection on which a request is about to be sent.
    ///
    /// A connection that was judged by this policy, and whose certificates are still valid, passes. A resumed TLS
    /// session, which OpenSSL does not verify again, is judged here as a full handshake would be.
    ///
    /// - Parameters:
    ///   - connection: an `SSL *`.
    /// - Throws: ``TrustError`` when the request must not go out on it.
    package func review(connection: UnsafeMutableRawPointer) throws(TrustError) -> Verdict {
        if let verdict = Verdict.attached(toConnection: connection) {
            guard verdict.policyTag == policy.tag, verdict.identity == identity,
                !verdict.validUntil.isOver(at: now())
            else {
                throw TrustError(
                    .policyChanged,
                    reason: "the connection was accepted under another policy, or until \(verdict.validUntil.rfc3339)"
                ).about(host: identity.description, pattern: policy.pattern)
            }
            return verdict
        }
        let pointer = OpaquePointer(connection)
        guard SSL_session_reused(pointer) == 1, let leafPointer = SSL_get0_peer_certificate(pointer),
            let leaf = Certificate(handle: X509Handle(sharing: leafPointer))
        else {
            throw TrustError(
                .evaluationUnavailable,
                reason: "the connection was never judged"
            ).about(host: identity.description, pattern: policy.pattern)
        }
        let sent = X509Stack.certificates(borrowing: SSL_get_peer_cert_chain(pointer))
        let verdict = try evaluate(presentedChain: sent.first == leaf ? sent : [leaf] + sent)
        guard verdict.attach(toConnection: connection) else {
            throw TrustError(.evaluationUnavailable, reason: "the verdict could not be kept with the connection")
        }
        return verdict
    }
}
