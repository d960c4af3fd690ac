import Foundation
import LinchpinTestSupport
import LinchpinTesting
import LinchpinTrust
import Testing

@testable import LinchpinSession

/// Against a real nginx; one after the other, since the process's threads and descriptors are counted.
@Suite(.serialized) struct ConcurrencyTests {
    private func nginx(_ world: World, _ version: NginxServer.HTTPVersion) async throws -> NginxServer {
        try await NginxServer.start(
            identity: .init(certificateChain: world.identity.chainPEM, privateKey: world.identity.privateKeyPEM),
            version: version,
            body: "hello"
        )
    }

    @Test(arguments: [(NginxServer.HTTPVersion.http1, 64), (.http2, 2)])
    func `1000 requests at concurrency 64 use few connections and one thread`(
        version: NginxServer.HTTPVersion,
        mostConnections: Int
    ) async throws {
        let world = try World()
        let server = try await nginx(world, version)
        let session = Session(serverTrustManager: try world.manager())
        let url = "https://localhost:\(server.port)/"
        try await withThrowingTaskGroup(of: String?.self) { group in
            for number in 0..<1_000 {
                if number >= 64 { #expect(try await group.next() == "hello") }
                group.addTask { await session.request(url).serializingData().response.text }
            }
            for try await text in group { #expect(text == "hello") }
        }
        let log = try await server.accessLog(atLeast: 1_000)
        #expect(log.count == 1_000)
        #expect(Set(log.map(\.connection)).count <= mostConnections)
        #expect(Set(log.map(\.httpVersion)) == [version == .http2 ? "HTTP/2.0" : "HTTP/1.1"])
        await session.invalidate()
    }

    @Test func `HTTP/1.1 is spoken to a server of HTTP/2 when the session asks for it`() async throws {
        let world = try World()
        let server = try await nginx(world, .http2)
        let session = Session(configuration: .with { $0.httpVersion = .http1 }, serverTrustManager: try world.manager())
        #expect(await session.request("https://localhost:\(server.port)/").serializingData().response.text == "hello")
        #expect(try await server.accessLog(atLeast: 1).map(\.httpVersion) == ["HTTP/1.1"])
    }

    @Test(arguments: [NginxServer.HTTPVersion.http1, .http2])
    func `a wrong pin reaches nginx with no request`(_ version: NginxServer.HTTPVersion) async throws {
        let world = try World()
        let server = try await nginx(world, version)
        let manager = try ServerTrustManager(evaluators: ["localhost": world.wronglyPinned()])
        let session = Session(serverTrustManager: manager)
        let url = "https://localhost:\(server.port)/"
        #expect(await session.request(url).serializingData().response.refusal == .pinMismatch)
        try manager.replaceEvaluators(["localhost": world.pinned()])
        #expect(await session.request(url).serializingData().response.text == "hello")
        #expect(try await server.accessLog(atLeast: 1).count == 1)
    }

    @Test(arguments: ["-tls1_2", "-tls1_3"])
    func `a pinned openssl s_server answers, and a wrong pin is refused`(_ version: String) async throws {
        let world = try World()
        let server = try await OpenSSLServer.start(
            certificateChain: world.identity.chainPEM,
            privateKey: world.identity.privateKeyPEM,
            arguments: [version]
        )
        let url = "https://localhost:\(server.port)/"
        let pinned = Session(serverTrustManager: try world.manager())
        #expect(await pinned.request(url).serializingData().response.status == 200)
        let manager = try ServerTrustManager(evaluators: ["localhost": world.wronglyPinned()])
        let wrong = Session(serverTrustManager: manager)
        #expect(await wrong.request(url).serializingData().response.refusal == .pinMismatch)
    }
}
