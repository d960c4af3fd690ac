import CLibcurl
import CLinchpin
import Foundation
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// A client that drives libcurl itself.
@Suite struct AttachTests {
    /// The one owner of a handle that only one thread at a time uses.
    private final class Client: @unchecked Sendable {
        // Sendable: every use is awaited before the next.
        let handle: EasyHandle

        init() throws { handle = try EasyHandle() }

        /// Does a GET on a thread of its own.
        func get(_ url: String, follows: Bool = false) async throws -> CURLcode {
            try handle.set(CURLOPT_URL, url)
            try handle.set(CURLOPT_FOLLOWLOCATION, follows ? 1 : 0)
            try handle.set(CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
            return await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: curl_easy_perform(self.handle.pointer)) }
            }
        }
    }

    @Test func `the pinned server is accepted, and kept connections are used`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let client = try Client()
        let attachment = try world.manager().attach(to: client.handle.pointer)
        for _ in 0..<3 { #expect(try await client.get("https://localhost:\(server.port)/") == CURLE_OK) }
        #expect(attachment.refusal == nil)
        #expect(server.log.connections == 1)
    }

    @Test func `a server with another key gets no byte of a request`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let client = try Client()
        let manager = try ServerTrustManager(evaluators: ["localhost": world.wronglyPinned()])
        let attachment = try manager.attach(to: client.handle.pointer)
        #expect(try await client.get("https://localhost:\(server.port)/") != CURLE_OK)
        #expect(attachment.refusal?.code == .pinMismatch)
        #expect(server.log.requests.isEmpty)
    }

    @Test func `a host without an evaluator is refused`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let client = try Client()
        let attachment = try world.manager().attach(to: client.handle.pointer)
        #expect(try await client.get("https://127.0.0.1:\(server.port)/") != CURLE_OK)
        #expect(attachment.refusal?.code == .noRequiredEvaluator)
        #expect(server.log.requests.isEmpty)
    }

    @Test func `plain HTTP to a host with an evaluator is refused`() async throws {
        let world = try World()
        let server = try LocalTLSServer.plain { _ in .text("hello") }
        let client = try Client()
        let attachment = try world.manager().attach(to: client.handle.pointer)
        #expect(try await client.get("http://localhost:\(server.port)/") == CURLE_ABORTED_BY_CALLBACK)
        #expect(attachment.refusal?.code == .cleartextRefused)
        #expect(server.log.requests.isEmpty)
    }

    @Test func `a connection does not outlive the table that let it in`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let client = try Client()
        let manager = try world.manager()
        let attachment = try manager.attach(to: client.handle.pointer)
        let url = "https://localhost:\(server.port)/"
        #expect(try await client.get(url) == CURLE_OK)
        try manager.replaceEvaluators(["localhost": world.wronglyPinned()])
        #expect(try await client.get(url) != CURLE_OK)
        #expect(attachment.refusal != nil)
        #expect(server.log.requests.count == 1)
    }

    @Test func `a connection that was made before is not used`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let client = try Client()
        let url = "https://localhost:\(server.port)/"
        let (first, second) = (
            try world.manager(), try ServerTrustManager(evaluators: ["localhost": world.wronglyPinned()])
        )
        let earlier = try first.attach(to: client.handle.pointer)
        #expect(try await client.get(url) == CURLE_OK)
        let attachment = try second.attach(to: client.handle.pointer)
        #expect(try await client.get(url) != CURLE_OK)
        #expect(attachment.refusal?.code == .pinMismatch)
        #expect(server.log.requests.count == 1)
        withExtendedLifetime(earlier) {}
    }

    @Test func `a redirect is judged as its own host`() async throws {
        let world = try World()
        let other = try LocalTLSServer(identity: world.identity) { _ in .text("other") }
        let server = try LocalTLSServer(identity: world.identity) { _ in
            .redirect(to: "https://127.0.0.1:\(other.port)/")
        }
        let client = try Client()
        let manager = try ServerTrustManager(evaluators: [
            "localhost": world.pinned(), "127.0.0.1": world.wronglyPinned(),
        ])
        let attachment = try manager.attach(to: client.handle.pointer)
        #expect(try await client.get("https://localhost:\(server.port)/", follows: true) != CURLE_OK)
        #expect(attachment.refusal?.code == .pinMismatch)
        #expect(attachment.refusal?.host == "127.0.0.1")
        #expect(other.log.requests.isEmpty)
    }

    @Test func `without its attachment a handle is refused`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let client = try Client()
        func attach() throws { _ = try world.manager().attach(to: client.handle.pointer) }
        try attach()
        #expect(try await client.get("https://localhost:\(server.port)/") == CURLE_ABORTED_BY_CALLBACK)
        #expect(server.log.requests.isEmpty)
    }

    @Test func `a copy of a handle is refused`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let client = try Client()
        let attachment = try world.manager().attach(to: client.handle.pointer)
        try client.handle.set(CURLOPT_URL, "https://localhost:\(server.port)/")
        let copy = try #require(curl_easy_duphandle(client.handle.pointer))
        let number = UInt(bitPattern: copy)
        let code = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let copy = UnsafeMutableRawPointer(bitPattern: number)
                continuation.resume(returning: curl_easy_perform(copy))
                curl_easy_cleanup(copy)
            }
        }
        #expect(code == CURLE_ABORTED_BY_CALLBACK)
        #expect(attachment.refusal?.code == .evaluationUnavailable)
        #expect(server.log.requests.isEmpty)
    }
}
