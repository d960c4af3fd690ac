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

    package init(identity: ReferenceIdentity, policy: TrustPolicy, now: @escaping @Sendable () -> Date) {
        self.identity = identity
        self.policy = policy
        self.now = now
    }

    /// Why the last handshake was refused, in full; nil when none was.
    package var refusal: TrustError? { lastRefusal.withLock { $0 } }

    /// Judges a chain: the same code for a handshake, a resumed session and off-line.
    package func evaluate(presentedChain: [Certificate]) throws(TrustError) -> Verdict {
        let trust: ServerTrust
        do throws(TrustError) {
            trust = try ServerTrust(
                presentedChain: presentedChain,
                identity: identity,
                date: now(),
                port: policy.port,
                pattern: policy.pattern
            )
        } catch {
            throw error.about(host: identity.description, pattern: policy.pattern)
        }
        do {
            try policy.evaluator.evaluate(trust, forHost: trust.host)
        } catch {
            let refusal = refusal(error, trust)
            announce(trust, refusal)
            throw refusal
        }
        announce(trust, nil)
        return Verdict(
            identity: identity,
            policyTag: policy.tag,
            presentedChain: presentedChain,
            validUntil: trust.findings.current.validUntil
        )
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
    /// - Returns: whether the server is accepted.
    func decide(_ context: OpaquePointer) -> Bool {
        do throws(TrustError) {
            let verdict = try evaluate(presentedChain: presentedChain(of: context))
            guard let connection = X509_STORE_CTX_get_ex_data(context, SSL_get_ex_data_X509_STORE_CTX_idx()),
                verdict.attach(toConnection: connection)
            else {
                throw TrustError(.evaluationUnavailable, reason: "the verdict could not be kept with the connection")
            }
            return true
        } catch {
            lastRefusal.withLock { $0 = error }
            return false
        }
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
