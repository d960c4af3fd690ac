/// Accepts any server.
///
/// > Warning: Whoever is between you and the host can read and change everything. Use it against throw-away servers
/// > only; to accept a self-signed server pin its certificate.
public final class DisabledTrustEvaluator: ServerTrustEvaluating {
    /// Makes the evaluator.
    public init() {}

    /// False: any name passes.
    public var validatesHost: Bool { false }

    /// Always returns.
    public func evaluate(_ trust: ServerTrust, forHost host: String) {}
}
