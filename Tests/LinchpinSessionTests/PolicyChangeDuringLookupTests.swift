import Foundation
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// A table that is replaced while a request asks who judges its host.
@Suite struct PolicyChangeDuringLookupTests {
    /// Says what its first table says, which is by then replaced.
    final class Replacing: ServerTrustManager, @unchecked Sendable {
        private let next: Mutex<[String: any ServerTrustEvaluating]?>

        init(next: [String: any ServerTrustEvaluating]) throws {
            self.next = Mutex(next)
            try super.init(allHostsMustBeEvaluated: false, evaluators: [:])
        }

        override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
            let before = try super.serverTrustEvaluator(forHost: host)
            let next = next.withLock { next in
                defer { next = nil }
                return next
            }
            if let next { try replaceEvaluators(allHostsMustBeEvaluated: false, next) }
            return before
        }
    }

    @Test(arguments: ["localhost", "elsewhere.example"])
    func `plain HTTP is not let through by a table that is replaced by then`(_ host: String) async throws {
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let manager = try Replacing(next: [host: DefaultTrustEvaluator()])
        let session = Session(serverTrustManager: manager)
        let response = await session.get(server.url(host: "localhost"))
        let refusal = host == "localhost" ? TrustError.Code.cleartextRefused : nil
        #expect(response.refusal == refusal)
        #expect(response.text == (refusal == nil ? "hello" : nil))
        await session.invalidate()
        #expect(server.log.requests.count == (refusal == nil ? 1 : 0))
    }
}
