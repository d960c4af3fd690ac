import LinchpinTrust
import Testing

/// What ends when a table or an observer is replaced may ask the manager at its end.
@Suite struct LifeOfEvaluatorsTests {
    /// Asks a manager when it goes.
    final class Asking: ServerTrustEvaluating {
        let manager: ServerTrustManager
        init(_ manager: ServerTrustManager) { self.manager = manager }
        deinit { _ = manager.allHostsMustBeEvaluated }
        func evaluate(_ trust: ServerTrust, forHost host: String) {}
    }

    @Test func `an evaluator that goes with its table may ask the manager`() throws {
        let manager = try ServerTrustManager(evaluators: [:])
        try manager.replaceEvaluators(["a.example.com": Asking(manager)])
        try manager.replaceEvaluators([:])
        #expect(manager.allHostsMustBeEvaluated)
    }
}
