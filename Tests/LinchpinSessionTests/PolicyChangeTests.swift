import Foundation
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// Promise 3: a connection never outlives the policy that let it in.
@Suite struct PolicyChangeTests {
    /// A way to resume a TLS session.
    struct Resumption: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let version: LocalTLSServer.Configuration.TLSVersion
        let resumption: LocalTLSServer.Configuration.Resumption
        /// libcurl asks for no tickets in TLS 1.2 (SSL_OP_NO_TICKET).
        var isUsedByLibcurl = true

        var configuration: LocalTLSServer.Configuration {
            .init(minimumTLSVersion: version, maximumTLSVersion: version, resumption: resumption)
        }
    }

    static let resumptions = [
        Resumption(testDescription: "TLS 1.2 by session id", version: .v1_2, resumption: .sessionIDs),
        Resumption(testDescription: "TLS 1.2 by ticket", version: .v1_2, resumption: .tickets, isUsedByLibcurl: false),
        Resumption(testDescription: "TLS 1.3 by ticket", version: .v1_3, resumption: .tickets),
    ]

    /// Accepts until it is told not to, without any change of the table.
    final class Switch: ServerTrustEvaluating {
        let isOn = Mutex(true)
        let calls = Mutex(0)

        func evaluate(_ trust: ServerTrust, forHost host: String) throws {
            calls.withLock { $0 += 1 }
            guard isOn.withLock({ $0 }) else { throw TrustError(.pinMismatch, reason: "switched off") }
        }
    }

    /// A server that closes its connection after every answer, so that the next request makes a new one.
    private func closingServer(_ world: World, _ row: Resumption) throws -> LocalTLSServer {
        try LocalTLSServer(identity: world.identity, configuration: row.configuration) { _ in
            .text("hello", headers: [.init("Connection", "close")])
        }
    }

    @Test(arguments: resumptions)
    func `a TLS session is resumed under the policy that accepted it`(_ row: Resumption) async throws {
        let world = try World()
        let server = try closingServer(world, row)
        let session = Session(serverTrustManager: try world.manager())
        for _ in 0..<3 { #expect(await session.get(server.url).status == 200) }
        await session.invalidate()
        #expect(server.log.handshakes.map(\.isResumed) == [false, row.isUsedByLibcurl, row.isUsedByLibcurl])
    }

    @Test(arguments: resumptions)
    func `no TLS session is resumed after the table was replaced`(_ row: Resumption) async throws {
        let world = try World()
        let server = try closingServer(world, row)
        let manager = try world.manager()
        let session = Session(serverTrustManager: manager)
        #expect(await session.get(server.url).status == 200)
        try manager.replaceEvaluators(["localhost": world.wronglyPinned()])
        let before = server.log.bytesReceived
        #expect(await session.get(server.url).refusal == .pinMismatch)
        await session.invalidate()
        #expect(await server.waitUntil { $0.handshakeCount == 2 })
        server.stop()
        #expect(server.log.bytesReceived == before)
        #expect(server.log.handshakes.map(\.isResumed) == [false, false])
    }

    @Test(arguments: resumptions)
    func `a resumed handshake is judged as a full one is`(_ row: Resumption) async throws {
        let world = try World()
        let server = try closingServer(world, row)
        let evaluator = Switch()
        let session = Session(serverTrustManager: try ServerTrustManager(evaluators: ["localhost": evaluator]))
        #expect(await session.get(server.url).status == 200)
        #expect(await session.get(server.url).status == 200)
        #expect(server.log.handshakes.map(\.isResumed) == [false, row.isUsedByLibcurl])
        #expect(evaluator.calls.withLock { $0 } == 2)
        evaluator.isOn.withLock { $0 = false }
        let before = server.log.bytesReceived
        #expect(await session.get(server.url).refusal == .pinMismatch)
        await session.invalidate()
        server.stop()
        #expect(server.log.bytesReceived == before)
    }

    @Test func `a kept connection is used again under the policy that accepted it`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let session = Session(serverTrustManager: try world.manager())
        for _ in 0..<3 { #expect(await session.get(server.url).status == 200) }
        #expect(server.log.connections == 1)
    }

    @Test func `a kept connection is not used after the table was replaced`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let manager = try world.manager()
        let session = Session(serverTrustManager: manager)
        #expect(await session.get(server.url).status == 200)
        let before = server.log.bytesReceived
        try manager.replaceEvaluators(["localhost": world.wronglyPinned()])
        #expect(await server.waitUntil { $0.openConnections == 0 }, "the idle connection stayed open")
        #expect(await session.get(server.url).refusal == .pinMismatch)
        await session.invalidate()
        server.stop()
        #expect(server.log.bytesReceived == before)
    }

    @Test func `a table that cannot be made leaves the one in force`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let manager = try world.manager()
        let session = Session(serverTrustManager: manager)
        #expect(throws: TrustError.self) { try manager.replaceEvaluators(["a.*.b": world.wronglyPinned()]) }
        #expect(await session.get(server.url).status == 200)
    }

    @Test func `a running exchange finishes when the table is replaced, if it may`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in
            .init(body: Data("hello".utf8), fault: .delay(seconds: 0.2))
        }
        let manager = try world.manager()
        let session = Session(serverTrustManager: manager)
        async let response = session.get(server.url)
        #expect(await server.waitUntil { $0.requests.count == 1 })
        try manager.replaceEvaluators(["localhost": world.wronglyPinned()], runningExchanges: .finish)
        #expect(await response.text == "hello")
        #expect(await server.waitUntil { $0.openConnections == 0 }, "its connection stayed open")
    }

    @Test func `a running exchange ends when the table is replaced, if it must`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .fault(.hold) }
        let manager = try world.manager()
        let session = Session(serverTrustManager: manager)
        async let response = session.get(server.url)
        #expect(await server.waitUntil { $0.requests.count == 1 })
        try manager.replaceEvaluators(["localhost": world.pinned()], runningExchanges: .cancel)
        #expect(await response.refusal == .policyChanged)
        #expect(await server.waitUntil { $0.openConnections == 0 }, "its connection stayed open")
    }

    /// A clock that a test sets.
    final class Clock: Sendable {
        private let time = Mutex(Date())
        var now: Date { time.withLock { $0 } }
        func advance(by seconds: TimeInterval) { time.withLock { $0 += seconds } }
    }

    @Test(arguments: [(3_000.0, nil), (4_000.0, TrustError.Code.expired)] as [(Double, TrustError.Code?)])
    func `a kept connection is not used after a certificate of its chain has expired`(
        _ seconds: Double,
        refusal: TrustError.Code?
    ) async throws {
        let world = try World(validity: .lasting(3_600))
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let clock = Clock()
        let configuration = SessionConfiguration.with { $0.now = { clock.now } }
        let session = Session(configuration: configuration, serverTrustManager: try world.manager())
        #expect(await session.get(server.url).status == 200)
        let before = server.log.bytesReceived
        clock.advance(by: seconds)
        #expect(await session.get(server.url).refusal == refusal)
        await session.invalidate()
        server.stop()
        #expect((server.log.bytesReceived == before) == (refusal != nil))
        #expect(server.log.connections == (refusal == nil ? 1 : 2))
    }

    @Test func `a connection is good through the whole last second of its certificates`() async throws {
        let world = try World(validity: .lasting(3_600))
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let clock = Clock()
        let end = world.identity.certificate.notAfter
        clock.advance(by: end.timeIntervalSince(clock.now) + 0.25)
        let configuration = SessionConfiguration.with { $0.now = { clock.now } }
        let session = Session(configuration: configuration, serverTrustManager: try world.manager())
        #expect(await session.get(server.url).text == "hello")
        clock.advance(by: 0.5)
        #expect(await session.get(server.url).text == "hello")
        #expect(server.log.connections == 1)
        clock.advance(by: 0.5)
        #expect(await session.get(server.url).refusal == .expired)
        #expect(server.log.requests.count == 2)
    }

    @Test func `an idle connection closes when a certificate of its chain expires`() async throws {
        let world = try World(validity: .lasting(2))
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let session = Session(serverTrustManager: try world.manager())
        #expect(await session.get(server.url).status == 200)
        #expect(await server.waitUntil(timeout: 10) { $0.openConnections == 0 })
    }

    @Test func `sessions share no connection and no TLS session`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let accepting = Session(serverTrustManager: try world.manager())
        let refusing = Session(
            serverTrustManager: try ServerTrustManager(evaluators: ["localhost": world.wronglyPinned()])
        )
        #expect(await accepting.get(server.url).status == 200)
        #expect(await refusing.get(server.url).refusal == .pinMismatch)
        #expect(await server.waitUntil { $0.handshakeCount == 2 })
        #expect(server.log.requests.count == 1)
        #expect(server.log.handshakes.map(\.isResumed) == [false, false])
    }

    /// Chooses its evaluators itself.
    final class Choosing: ServerTrustManager, @unchecked Sendable {
        let choice: Mutex<any ServerTrustEvaluating>

        init(_ evaluator: any ServerTrustEvaluating) throws {
            choice = Mutex(evaluator)
            try super.init(evaluators: [:])
        }

        override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? {
            choice.withLock { $0 }
        }
    }

    @Test func `a subclass's choice is asked for every hop, and its connections are kept apart`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let manager = try Choosing(world.pinned())
        let session = Session(serverTrustManager: manager)
        #expect(await session.get(server.url).status == 200)
        #expect(await session.get(server.url).status == 200)
        #expect(server.log.connections == 1)
        let before = server.log.bytesReceived
        try manager.choice.withLock { $0 = try world.wronglyPinned() }
        #expect(await session.get(server.url).refusal == .pinMismatch)
        #expect(server.log.bytesReceived == before)
    }
}
