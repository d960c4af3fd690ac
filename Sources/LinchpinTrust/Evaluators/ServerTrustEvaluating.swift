/// Judges one server, once per TLS handshake, before a byte of the request leaves.
///
/// Evaluation runs on the session's event loop: keep it pure and fast, and wait for nothing. Whatever it throws is a
/// refusal. A custom evaluator that wants the usual checks calls them on the ``ServerTrust``:
///
/// ```swift
/// struct InternalHosts: ServerTrustEvaluating {
///     let roots: TrustRoots
///     func evaluate(_ trust: ServerTrust, forHost host: String) throws {
///         try trust.validatedChain(roots: roots)
///         try trust.validateHost()
///     }
/// }
/// ```
public protocol ServerTrustEvaluating: Sendable {
    /// Returns when the server is trusted.
    ///
    /// - Parameters:
    ///   - trust: what the server presented.
    ///   - host: the host that was asked for, in its canonical form.
    /// - Throws: any error refuses; ``TrustError`` is handed on as it is, another one as the cause of
    ///   `customEvaluationFailed`.
    func evaluate(_ trust: ServerTrust, forHost host: String) throws

    /// Whether the host's name has to be in the certificate, true by default.
    ///
    /// While it is true libcurl compares the name as well, whatever ``evaluate(_:forHost:)`` does.
    var validatesHost: Bool { get }

    /// Finds mistakes that would let nothing pass, when a table is made; does nothing by default.
    func validateConfiguration() throws(TrustError)
}

extension ServerTrustEvaluating {
    /// True: the host's name has to be in the certificate.
    public var validatesHost: Bool { true }

    /// Finds nothing to complain about.
    public func validateConfiguration() throws(TrustError) {}
}
