import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Entries of the table that name a port.
@Suite struct PortPolicyTests {
    @Test func `an entry is for the server on its port alone`() async throws {
        let world = try World()
        let (first, second) = (
            try LocalTLSServer(identity: world.identity) { _ in .text("first") },
            try LocalTLSServer(identity: world.identity) { _ in .text("second") }
        )
        let manager = try ServerTrustManager(evaluators: ["localhost:\(first.port)": world.pinned()])
        let session = Session(serverTrustManager: manager)
        #expect(await session.get(first.url).text == "first")
        #expect(await session.get(second.url).refusal == .noRequiredEvaluator)
        #expect(second.log.handshakes.isEmpty)
    }

    @Test func `two servers of one host are judged by their own entries`() async throws {
        let world = try World()
        let (first, second) = (
            try LocalTLSServer(identity: world.identity) { _ in .text("first") },
            try LocalTLSServer(identity: world.identity) { _ in .text("second") }
        )
        let manager = try ServerTrustManager(
            evaluators: ["localhost:\(first.port)": world.wronglyPinned(), "localhost": world.pinned()]
        )
        let session = Session(serverTrustManager: manager)
        for _ in 0..<2 {
            #expect(await session.get(second.url).text == "second")
            #expect(await session.get(first.url).refusal == .pinMismatch)
        }
        #expect(first.log.bytesReceived == 0)
    }

    @Test func `a host with an entry for one port is spoken to over plain http on none`() async throws {
        let world = try World()
        let manager = try ServerTrustManager(
            allHostsMustBeEvaluated: false,
            evaluators: ["localhost:8443": world.pinned()]
        )
        let session = Session(serverTrustManager: manager)
        for port in [80, 8_443, 1] {
            let response = await session.get(try #require(URL(string: "http://localhost:\(port)/")))
            #expect(response.refusal == .cleartextRefused)
            #expect(response.error?.trustError?.pattern == "localhost:8443")
        }
    }
}
