internal import Foundation

/// The time-outs of single steps: the TLS handshake, and the wait for an answer.
extension Exchange {
    /// When the first of the steps under way has to be done.
    var stepDeadline: Int64 { min(handshakeDeadline, answerDeadline) }

    /// When the TLS handshake has to be done; never, while there is none.
    private var handshakeDeadline: Int64 {
        guard let start = hop?.handshakeStart, let tls = timeouts.tls else { return .max }
        return start.advanced(bySeconds: tls)
    }

    /// When the answer has to begin; never, before the request is sent, or while it is the caller who waits.
    ///
    /// Nothing moves between the request's last byte and the response's first but interim responses, which show that
    /// the server is at work.
    private var answerDeadline: Int64 {
        guard let hop, hop.awaitsAnswer, !hop.isPaused, let firstByte = timeouts.firstByte else { return .max }
        return hop.lastActivity.advanced(bySeconds: firstByte)
    }

    /// The step that took too long; nil when none did.
    func expiredStep(now: Int64) -> TransportError? {
        if handshakeDeadline <= now, let seconds = timeouts.tls {
            return TransportError.timeout(.tls, seconds, "the TLS handshake took longer than \(seconds) s")
        }
        if answerDeadline <= now, let seconds = timeouts.firstByte {
            return TransportError.timeout(.firstByte, seconds, "no answer began within \(seconds) s of the request")
        }
        return nil
    }
}

extension Hop {
    /// Whether the request is sent and no answer has begun.
    var awaitsAnswer: Bool { hasBegun && !hasAnswered && isBodySent }

    /// Whether libcurl has got the whole body.
    private var isBodySent: Bool { body == nil || body?.length == sentBytes || hasBodyEnded }

    /// A TLS handshake begins, with an HTTPS proxy or with the server.
    func handshakeBegan() {
        handshakeStart = clock.now
        if exchange.timeouts.tls != nil { pool.deadlineChanged(self) }
    }

    /// The wait for the answer may begin: the body is sent, or an interim response is at its end.
    func answerAwaited() {
        if exchange.timeouts.firstByte != nil { pool.deadlineChanged(self) }
    }
}
