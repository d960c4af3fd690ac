/// Decides which evaluator judges which host; `LinchpinTrust.ServerTrustManager` with an initialiser that throws nothing.
///
/// A table with a mistake in it, which Linchpin's own initialiser throws, refuses every host with that error.
open class ServerTrustManager: LinchpinTrust.ServerTrustManager {
    /// Patterns and what judges the hosts that they match.
    public let evaluators: [String: any ServerTrustEvaluating]
    private let mistake: TrustError?

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - allHostsMustBeEvaluated: whether a host without an entry is refused, true by default.
    ///   - evaluators: patterns and what judges the hosts that they match.
    public override init(
        allHostsMustBeEvaluated: Bool = true,
        evaluators: [String: any ServerTrustEvaluating]
    ) {
        self.evaluators = evaluators
        var table = evaluators
        do throws(TrustError) {
            _ = try LinchpinTrust.ServerTrustManager(evaluators: evaluators)
            mistake = nil
        } catch {
            mistake = error
            table = [:]
        }
        do throws(TrustError) {
            try super.init(allHostsMustBeEvaluated: allHostsMustBeEvaluated, evaluators: table)
        } catch {
            fatalError("a table that was found good became bad: \(error)")
        }
    }

    /// The evaluator for a host. Subclasses may choose another one.
    ///
    /// - Returns: nil when the host has no entry and need not have one.
    /// - Throws: ``TrustError``.
    open override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
        if let mistake { throw mistake }
        return try super.serverTrustEvaluator(forHost: host)
    }

    /// The evaluator for a host and a port.
    ///
    /// - Throws: ``TrustError``.
    open override func serverTrustEvaluator(forHost host: String, port: Int) throws -> (any ServerTrustEvaluating)? {
        if let mistake { throw mistake }
        return try super.serverTrustEvaluator(forHost: host, port: port)
    }
}

// Everything in it is immutable and Sendable.
extension ServerTrustManager: @unchecked Sendable {}
