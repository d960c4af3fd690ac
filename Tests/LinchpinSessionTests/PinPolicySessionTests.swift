import Dispatch
import Foundation
import LinchpinTesting
import LinchpinTrust
import Synchronization
import Testing

@testable import LinchpinSession

/// Pins that expire or only report, and decisions, as sessions meet them.
@Suite struct PinPolicySessionTests {
    private func evaluator(
        _ world: World,
        pin: String? = nil,
        expiration: PinExpiration? = nil,
        onMismatch: PinMismatchAction = .refuse
    ) throws -> PublicKeyPinsTrustEvaluator {
        try PublicKeyPinsTrustEvaluator(
            pins: [pin ?? world.identity.pin.description],
            requiresBackupPin: false,
            expiration: expiration,
            onMismatch: onMismatch,
            roots: world.roots
        )
    }

    private struct Case: Sendable {
        let seconds: TimeInterval
        let afterwards: PinExpiration.Afterwards
        let refusal: TrustError.Code?
        let connections: Int
    }

    private static let cases = [
        Case(seconds: 50, afterwards: .refuse, refusal: nil, connections: 1),
        Case(seconds: 70, afterwards: .refuse, refusal: .pinsExpired, connections: 2),
        Case(seconds: 50, afterwards: .fallBackToDefaultValidation, refusal: nil, connections: 1),
        Case(seconds: 70, afterwards: .fallBackToDefaultValidation, refusal: nil, connections: 2),
    ]

    @Test(arguments: cases.indices)
    func `a kept connection is not used after the pins that let it in`(index: Int) async throws {
        let test = Self.cases[index]
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let clock = PolicyChangeTests.Clock()
        let expiration = PinExpiration(clock.now.addingTimeInterval(60), afterwards: test.afterwards)
        let session = Session(
            configuration: .with { $0.now = { clock.now } },
            serverTrustManager: try ServerTrustManager(
                evaluators: ["localhost": evaluator(world, expiration: expiration)]
            )
        )
        #expect(await session.get(server.url).text == "hello")
        let before = server.log.bytesReceived
        clock.advance(by: test.seconds)
        #expect(await session.get(server.url).refusal == test.refusal)
        await session.invalidate()
        server.stop()
        #expect((server.log.bytesReceived == before) == (test.refusal != nil))
        #expect(server.log.connections == test.connections)
        #expect(server.log.handshakes.allSatisfy { !$0.isResumed })
    }

    @Test func `an idle connection closes when its pins expire`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let expiration = PinExpiration(Date().addingTimeInterval(1), afterwards: .refuse)
        let manager = try ServerTrustManager(evaluators: ["localhost": evaluator(world, expiration: expiration)])
        let session = Session(serverTrustManager: manager)
        #expect(await session.get(server.url).status == 200)
        #expect(await server.waitUntil(timeout: 10) { $0.openConnections == 0 })
    }

    @Test func `pins that only report let the request through, and tell the port`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let reports = Mutex<[PinFailureReport]>([])
        let queue = DispatchQueue(label: "reports")
        let handler = PinFailureHandler(queue: queue) { report in reports.withLock { $0.append(report) } }
        let lax = try evaluator(world, pin: World.wrongPin, onMismatch: .reportOnly(handler))
        let session = Session(serverTrustManager: try ServerTrustManager(evaluators: ["localhost": lax]))
        #expect(await session.get(server.url).text == "hello")
        queue.sync {}
        #expect(reports.withLock { $0.map(\.port) } == [Int(server.port)])
    }

    @Test func `there is a decision for each handshake, and none for a request on a kept connection`() async throws {
        let world = try World()
        let server = try LocalTLSServer(identity: world.identity) { _ in .text("hello") }
        let manager = try world.manager()
        let queue = DispatchQueue(label: "decisions")
        let decisions = Mutex<[TrustDecision]>([])
        manager.observeDecisions(on: queue) { decision in decisions.withLock { $0.append(decision) } }
        let session = Session(serverTrustManager: manager)
        for _ in 0..<3 { #expect(await session.get(server.url).status == 200) }
        try manager.replaceEvaluators(["localhost": world.wronglyPinned()])
        #expect(await session.get(server.url).refusal == .pinMismatch)
        queue.sync {}
        let heard = decisions.withLock { $0 }
        #expect(heard.map(\.refusal?.code) == [nil, .pinMismatch])
        #expect(heard.first?.pinMatches.map(\.certificate) == [world.identity.certificate])
        #expect(heard.allSatisfy { $0.port == Int(server.port) })
    }
}
