import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// Promise 3, where the table is replaced in the middle of a handshake.
@Suite struct PolicyChangeDuringHandshakeTests {
    /// Accepts, and replaces the table that it stands in meanwhile.
    final class Replacing: ServerTrustEvaluating {
        private let manager = Mutex<ServerTrustManager?>(nil)
        private let replacement: any ServerTrustEvaluating

        init(_ replacement: any ServerTrustEvaluating) { self.replacement = replacement }

        /// A table in which this judges `localhost`, until it has replaced it.
        func makeManager() throws -> ServerTrustManager {
            let made = try ServerTrustManager(evaluators: ["localhost": self])
            manager.withLock { $0 = made }
            return made
        }

        func evaluate(_ trust: ServerTrust, forHost host: String) throws {
            let manager = manager.withLock { manager in
                defer { manager = nil }
                return manager
            }
            try manager?.replaceEvaluators(["localhost": replacement])
        }
    }

    // In a process of its own: a pool that is used after it was closed ends the process.
    @Test func `a request whose table is replaced in its handshake goes out under the new one`() async {
        await #expect(processExitsWith: .success) {
            let world = try World()
            let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
            for _ in 0..<10 {
                let session = Session(serverTrustManager: try Replacing(world.pinned()).makeManager())
                try #require(await session.get(server.url).text == "hello")
                await session.invalidate()
            }
        }
    }

    @Test func `a request whose table is replaced in its handshake is refused by the new one`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let session = Session(serverTrustManager: try Replacing(world.wronglyPinned()).makeManager())
        #expect(await session.get(server.url).refusal == .pinMismatch)
        await session.invalidate()
        server.stop()
        #expect(server.log.bytesReceived == 0)
    }
}
